// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import "slices"

// InlinedFunction is a function or a type that a file for caches of other projects declares once, because such a file
// imports nothing of ours.
type InlinedFunction string

// The inlined functions, by the names that follow the prefix of the target.
const (
	InlinedFunc       InlinedFunction = "Func"       // makes an index function of the cache
	InlinedCheck      InlinedFunction = "Check"      // finds the index that an Indexer lacks
	InlinedFirst      InlinedFunction = "First"      // returns the first object
	InlinedAdd        InlinedFunction = "Add"        // adds indexes to an Indexer or a FieldIndexer
	InlinedNew        InlinedFunction = "New"        // makes an Indexer for tests
	InlinedReader     InlinedFunction = "Reader"     // is a type that reads indexes
	InlinedBuilder    InlinedFunction = "Builder"    // is a constraint: controller-runtime's builder of fake clients
	InlinedFake       InlinedFunction = "Fake"       // is a type that adds indexes to that builder
	InlinedWith       InlinedFunction = "With"       // adds the indexes of a type to that builder
	InlinedRequests   InlinedFunction = "Requests"   // makes reconcile requests
	InlinedText       InlinedFunction = "Text"       // is the key of a string
	InlinedJoin       InlinedFunction = "Join"       // joins the parts of a key
	InlinedLabels     InlinedFunction = "Labels"     // is the index function of labels
	InlinedRequired   InlinedFunction = "Required"   // returns the label keys that a selector requires
	InlinedSelect     InlinedFunction = "Select"     // lists by a selector
	InlinedOwners     InlinedFunction = "Owners"     // is the index function of owners
	InlinedController InlinedFunction = "Controller" // is the index function of controllers
	InlinedReference  InlinedFunction = "Reference"  // reads a reference that is a string
	InlinedQuantity   InlinedFunction = "Quantity"   // is the key of a quantity
)

// Inlined lists the functions that the file needs, in the order of the declarations above.
func (p *Package) Inlined() (out []InlinedFunction) {
	if !p.Target.Foreign() {
		return nil
	}
	cacheOnly, managerOnly := p.Target == ClientGo, p.Target == ControllerRuntime
	has := func(condition func(ix *Index) bool) bool {
		return slices.ContainsFunc(p.Types, func(t *Type) bool { return slices.ContainsFunc(t.Indexes, condition) })
	}
	indexed, labeled := has(func(*Index) bool { return true }), p.hasLabelIndex()
	for _, h := range []struct {
		function InlinedFunction
		needed   bool
	}{
		{InlinedFunc, indexed},
		{InlinedCheck, indexed && cacheOnly},
		{InlinedFirst, has(func(ix *Index) bool { return ix.Unique })},
		{InlinedAdd, indexed || cacheOnly},
		{InlinedNew, cacheOnly},
		{InlinedReader, indexed || cacheOnly},
		{InlinedBuilder, indexed && managerOnly},
		{InlinedFake, indexed && managerOnly},
		{InlinedWith, indexed && managerOnly},
		{InlinedRequests, managerOnly && has((*Index).keyedByObjects)},
		{InlinedText, has(func(ix *Index) bool {
			return !ix.Composite() && (ix.Kind == Labels || ix.Parts[0].Basic == StringBasic)
		})},
		{InlinedJoin, has(func(ix *Index) bool { return ix.Kind == Labels || ix.Composite() && ix.Format == "" })},
		{InlinedLabels, labeled},
		{InlinedRequired, labeled},
		{InlinedSelect, labeled},
		{InlinedOwners, has(func(ix *Index) bool { return ix.Kind == Owners })},
		{InlinedController, has(func(ix *Index) bool { return ix.Kind == Controllers })},
		{InlinedReference, has(func(ix *Index) bool {
			return slices.ContainsFunc(ix.Sources(), func(source *Index) bool { return source.Split })
		})},
		{InlinedQuantity, has(func(ix *Index) bool { return slices.ContainsFunc(ix.Parts, (*Part).IsQuantity) })},
	} {
		if h.needed {
			out = append(out, h.function)
		}
	}
	return out
}

// hasLabelIndex reports whether a type has an index of labels.
func (p *Package) hasLabelIndex() bool { return slices.ContainsFunc(p.Types, (*Type).hasLabelIndex) }

func (t *Type) hasLabelIndex() bool {
	return slices.ContainsFunc(t.Indexes, func(ix *Index) bool { return ix.Kind == Labels })
}

// NameOf returns the name of an inlined function in files of the target.
func (t Target) NameOf(h InlinedFunction) string {
	function, _ := t.identifierWords()
	return lowerFirst(function) + string(h)
}
