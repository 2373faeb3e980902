// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package templates prints a [model.Package] as Go source with jennifer.
//
// There is one file for each family of declarations that an emitted file
// contains, in the order in which they appear there:
//
//	resource.go  the GroupVersionResource of a type
//	key.go       the key structs of composite indexes
//	extract.go   the index functions that walk a path
//	reference.go those of references and of users' functions
//	convert.go   values that are made keys: times, quantities, durations
//	lister.go    the lister and its snapshot
//	query.go     the queries of a lister
//	order.go     how one speaks of what ordered indexes answer
//	indexer.go   the store with its indexes
//	source.go    a typed client as a source
//	informer.go  the informer
//	factory.go   what a package has once: sources and factory
//
// The package decides nothing: names and paths come from the model, and what
// could be shared by all emitted files lives in the runtime instead. It does no
// I/O. jennifer's habits that do not suit reviewed code are tamed in style.go.
package templates
