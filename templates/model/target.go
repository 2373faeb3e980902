// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import "slices"

// Target is the cache that emitted code reads. The zero value is the cache of our runtime.
type Target string

// The targets, as flags name them.
const (
	Native            Target = "native"
	ClientGo          Target = "client-go"
	ControllerRuntime Target = "controller-runtime"
)

// Targets lists all targets.
var Targets = []Target{Native, ClientGo, ControllerRuntime}

// NativeFileName is the name of files emitted for the native target.
const NativeFileName = "zz_generated.indexers.go"

// FileName returns the name of the files emitted for the target.
func (t Target) FileName() string {
	switch t {
	case ClientGo:
		return "zz_generated.indexers.clientgo.go"
	case ControllerRuntime:
		return "zz_generated.indexers.controllerruntime.go"
	}
	return NativeFileName
}

// IsFileName reports whether name is that of an emitted file.
func IsFileName(name string) bool {
	return slices.ContainsFunc(Targets, func(t Target) bool { return t.FileName() == name })
}

// Foreign reports whether the target is a cache of other projects. Its index values are strings.
func (t Target) Foreign() bool { return t == ClientGo || t == ControllerRuntime }

// identifierWords returns the words that tell identifiers of the target from those of other targets in one
// package: the prefix of index functions, and the word in the names of key types.
func (t Target) identifierWords() (function, key string) {
	switch t {
	case ClientGo:
		return "Cache", "Cache"
	case ControllerRuntime:
		return "Field", "Field"
	}
	return "", ""
}

// receiverName returns the name of receivers of listers or readers.
func (t Target) receiverName() string {
	if t == ControllerRuntime {
		return "r"
	}
	return "l"
}

// assignForeignTargetNames chooses the names that the targets of other projects declare for a type, and
// clears the others.
func assignForeignTargetNames(p *Package, t *Type) {
	t.ResourceVar, t.Handles, t.Indexer, t.NewIndexer = "", "", "", ""
	t.Informer, t.NewInformer, t.NewSource, t.Add = "", "", "", ""
	switch p.Target {
	case ClientGo:
		t.Lister = t.Kind + "CacheLister"
		t.Register, t.Add = t.Kind+"Indexers", "Add"+t.Kind+"CacheIndexes"
		t.NewIndexer = "New" + t.Kind + "CacheIndexer"
	case ControllerRuntime:
		t.Lister = t.Kind + "Reader"
		t.Register, t.Add = t.Kind+"FieldIndexers", "Add"+t.Kind+"Indexes"
		t.RegisterFake = "With" + t.Kind + "Indexes"
	}
	t.NewLister = "New" + t.Lister
}

// extraLabelMethods returns the methods of an index of labels besides ByLabel.
func (t Target) extraLabelMethods(of *Type, ix *Index) []string {
	switch {
	case ix.Kind != Labels:
		return nil
	case t == ClientGo && of.Namespaced:
		return []string{"ByLabelInNamespace", "ByLabelKey", "List", "ListInNamespace"}
	}
	return []string{"ByLabelKey", "List"}
}
