// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package templates prints a [model.Package] as Go source as text.
//
// Each file prints one family of declarations, in the order of an emitted file:
//
//	file.go      the file: header, imports, version guard, declarations
//	key.go       the key structs of composite indexes
//	indexfunc.go the index functions that follow a path
//	reference.go the index functions of references
//	userfunc.go  the index functions around a user's function
//	match.go     the conditions of filters and of references
//	guard.go     the statements of an index function: guards are joined before they are printed
//	convert.go   conversions of values to keys: times, quantities, durations
//	lister.go    the lister and its snapshot
//	query.go     the queries of a lister
//	indexer.go   the store with its indexes
//	source.go    the GroupVersionResource of a type, and the source that reads through a typed client
//	informer.go  the informer
//	factory.go   once per package: sources and factory
//	keytext.go   values as the string keys of other projects' caches
//	inlined.go   once per file for such caches: what it does not import
//
// Declarations name packages as in «store».Query or «example.com/api».Device. file.go replaces
// these by the names of imports. describe.go words the comments of indexes and queries, and style.go
// breaks long lines as reviewed code does.
//
// The package makes no decisions: names and paths come from the model. Code that all
// emitted files could share belongs in the runtime. The package does no I/O.
package templates
