// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

// Package is one emitted file.
type Package struct {
	Name  string // of the package clause
	Path  string // import path of the emitted package; differs from Types' when output goes elsewhere
	API   string // import path of the package that declares the types
	Types []*Type

	Target Target // the cache that the file reads

	// the build constraint of the types, as in a //go:build line; "" if they are always built
	Constraint string

	// Imports maps the path of each package that the file may use to its name.
	Imports map[string]Import
	// Names that the file declares once, whatever its types.
	Sources    string // the struct of sources, one field for each type
	Informers  string // the factory
	NewFactory string // the factory's constructor
}

// Type is a root type: a kind that the API server serves.
type Type struct {
	Kind       string
	Object     Ident
	List       *Ident // the list type with an Items []Object field; nil if there is none
	Pointers   bool   // the list type has Items []*Object
	Group      string
	Version    string
	Resource   string // lower-case plural, as in a URL
	Namespaced bool
	Indexes    []*Index

	// Converted is set if no decoder fills the objects: source.Map makes them.
	Converted bool

	// Names, chosen by AssignNames.
	Plural       string // as comments show it: "Policies"
	Accessor     string // method of the factory and field of the sources: usually Plural
	UseAccessor  string // method of the factory whose result can be released
	AccessorVar  string // the factory's unexported field
	ResourceVar  string // the GroupVersionResource
	Lister       string
	NewLister    string
	Indexer      string
	NewIndexer   string
	Informer     string
	NewInformer  string
	NewSource    string // wraps a typed client; "" without a List
	Handles      string // the struct of index handles; "" without indexes
	ObjectParam  string // the parameter of index functions
	ListerRecv   string
	InformerRecv string

	// Of targets of other projects; "" for the native one.
	Register     string // returns the index functions by name
	Add          string // adds them to client-go's Indexer, or to controller-runtime's FieldIndexer
	RegisterFake string // adds them to controller-runtime's fake client
}

// Ident is a package-level identifier: an import path and a name.
// The path of predeclared identifiers is "".
type Ident struct {
	Path string
	Name string
}

// GoType is a Go type that can be the value of an index: a named or predeclared
// type, possibly instantiated, or an array of one.
type GoType struct {
	Ident Ident
	Args  []GoType // type arguments of a generic type
	Array int64    // length, if Elem is set
	Elem  *GoType  // an array's element; Ident is then unused
}
