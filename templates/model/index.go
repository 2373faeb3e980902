// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"reflect"
	"strings"
)

// Kind says where the values of an index come from.
type Kind int

const (
	// Paths indexes what one or more paths lead to.
	Paths Kind = iota
	// Owners indexes the UIDs of all owner references.
	Owners
	// Controllers indexes the UID of the controlling owner reference.
	Controllers
	// Labels indexes every label by its key and value.
	Labels
	// Refs indexes the namespace and name of what is referred to.
	Refs
	// Funcs indexes what a function returns.
	Funcs
)

// Index is one index of a root type, and the method that asks it.
type Index struct {
	Name  string // "SitePhase"
	Kind  Kind
	Parts []*Part // one for a plain index, more for a composite one
	Value GoType  // what the index is keyed by; for a composite one, its key struct

	Namespace *Part // of Refs: the namespace; nil if it is always the object's own
	Of        Ident // of Funcs: the function
	Several   bool  // of Funcs: it returns a slice

	Unique  bool // one object a value is expected
	Ordered bool // values have an order

	// Names, chosen by AssignNames.
	Method string // BySitePhase, also in the struct of handles
	Func   string // IndexDeviceBySitePhase; "" if the runtime has the function
	Key    string // DeviceSitePhaseKey; "" unless composite
	KeyVar string // the parameter of queries that take the key struct; "" if they take its parts
	Result string // the slice that the function appends to

	NamespaceVar string // of Refs: the variable of the namespace
	ValueVar     string // of Funcs: the variable of one value

	// Methods of unique and ordered indexes; "" for others.
	All       string    // BySitePhaseAll
	Conflicts string    // BySitePhaseConflicts
	Range     string    // BySitePhaseRange
	From      string    // BySitePhaseFrom
	Min       string    // MinSitePhase
	Max       string    // MaxSitePhase
	Bounds    [2]string // the parameters of Range
}

// Composite reports whether the index is keyed by a struct of several parts.
func (ix *Index) Composite() bool { return ix.Kind == Paths && len(ix.Parts) > 1 }

// swappable reports whether three parts in a row have one type, so that a caller could
// easily confuse them as parameters.
func (ix *Index) swappable() bool {
	for i := range max(0, len(ix.Parts)-2) {
		asked := ix.Parts[i].Asked()
		if reflect.DeepEqual(asked, ix.Parts[i+1].Asked()) && reflect.DeepEqual(asked, ix.Parts[i+2].Asked()) {
			return ix.Composite()
		}
	}
	return false
}

// Methods lists the methods of the lister that ask the index.
func (ix *Index) Methods() []string {
	return []string{ix.Method, ix.All, ix.Conflicts, ix.Range, ix.From, ix.Min, ix.Max}
}

// Predeclared lists what Go predeclares of which emitted code makes use.
func (p *Package) Predeclared() []string {
	out := []string{"append", "nil", "string", "bool", "int"}
	for _, t := range p.Types {
		for _, ix := range t.Indexes {
			for _, part := range ix.Parts {
				if part.Type.Elem == nil && part.Type.Ident.Path == "" {
					out = append(out, part.Type.Ident.Name)
				}
			}
		}
	}
	return out
}

// Part is one value of an index key.
type Part struct {
	Path  string // as it is shown to readers: .spec.site
	Type  GoType
	Steps []*Step // from the object to the value; only of Paths and Refs

	Convert *Conversion // of values that are no keys as they are; otherwise nil
	Text    bool        // of Refs: the value is not a string yet

	// Names, chosen by AssignNames.
	Field string // in the key struct: Site
	Param string // of the query method: site
}

// Multi reports whether one object can have several values of the part.
func (p *Part) Multi() bool {
	for _, s := range p.Steps {
		if s.Op == Each || s.Op == EachOfMap {
			return true
		}
	}
	return len(p.Steps) == 0 // owner references
}

// List splits the path at its last [*]: the list that is run through, and what is
// taken of each element ("" for the element itself). A path without a list, or
// with a filter, which says itself what is meant, has "" twice.
func (p *Part) List() (list, rest string) {
	if !p.Multi() || strings.Contains(p.Path, "[?") {
		return "", ""
	}
	list, rest, found := cutLast(p.Path, "[*]")
	if !found { // a list at the end of the path needs no [*]
		return p.Path, ""
	}
	if len(p.Steps) > 0 && rest != "" && p.Steps[len(p.Steps)-1].Op == Each {
		return p.Path, "" // a list in a list
	}
	return list, rest
}

// Filter splits the path behind a filter that no other list follows: the list with its
// filter, and what is taken of each element that it lets through. A path without one has
// "" twice.
func (p *Part) Filter() (list, rest string) {
	for i := len(p.Steps) - 1; i > 0; i-- {
		switch p.Steps[i].Op {
		case Match:
			filter := p.Steps[i-1].Text
			list, rest, _ = cutLast(p.Path, filter)
			return list + filter, rest
		case Each, EachOfMap:
			return "", ""
		}
	}
	return "", ""
}

// Op is what a step does.
type Op int

const (
	// Field selects the field Name.
	Field Op = iota
	// Each takes the elements of a slice one by one.
	Each
	// EachOfMap takes the values of a map one by one.
	EachOfMap
	// Lookup takes the value of a map under Name; an absent key has none.
	Lookup
	// Match passes over elements whose field Name is not Value. It follows Each.
	Match
)

// Step is one move along a path.
type Step struct {
	Op      Op
	Name    string  // Go field name, or map key
	Value   string  // of Match: what the field must be
	Text    string  // the step as written in a path: "site", "[*]", "['app']"
	Through []*Step // of Match: the embedded structs that lead to the field, if Go does not by itself
	Pointer bool    // the result, of Match the field, is a pointer: nil has no value, otherwise it is followed
	Struct  bool    // the result, pointers followed, is a struct: loops take its address

	// Hints and names for the variables that a loop or lookup binds.
	Singular string // what one element or value is called, as an exported name: "Volume"
	Var      string // chosen by AssignNames
	Counter  string // chosen by AssignNames: the counter of a loop over structs
}

// Prefix identifies the steps up to and including the i-th, so that paths of one
// index that run through the same elements are walked together.
func (p *Part) Prefix(i int) string {
	out := ""
	for _, s := range p.Steps[:i+1] {
		switch s.Op {
		case Field:
			out += "." + s.Name
		default:
			out += s.Text
		}
	}
	return out
}
