// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package templates prints a [model.Package] as Go source with jennifer.
//
// Each file prints one family of declarations, in the order of an emitted file:
//
//	file.go      the file: header, version guard, declarations
//	gvr.go       the GroupVersionResource of a type
//	key.go       the key structs of composite indexes
//	extract.go   the index functions that follow a path
//	reference.go the index functions of references
//	function.go  the index functions around a user's function
//	match.go     the conditions of filters and of references
//	guard.go     the if statements around conditions
//	convert.go   conversions of values to keys: times, quantities, durations
//	lister.go    the lister and its snapshot
//	query.go     the queries of a lister
//	indexer.go   the store with its indexes
//	source.go    the source that reads through a typed client
//	informer.go  the informer
//	factory.go   once per package: sources and factory
//	keytext.go   values as the string keys of other projects' caches
//	inlined.go   once per file for such caches: what it does not import
//
// describe.go words the comments of indexes and queries, and style.go adapts jennifer's
// output to reviewed code.
//
// The package makes no decisions: names and paths come from the model. Code that all
// emitted files could share belongs in the runtime. The package does no I/O.
package templates
