// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package golden holds emitted packages that are checked in, compiled, and asked
// questions by tests:
//
//	fleet       scalars, pointers, lists, maps, nested, embedded and named types,
//	            types of other packages, composite keys and owners
//	kinds       every kind of index: unique, ordered, labels, conditions,
//	            references, functions, selectable fields
//	values      times and quantities, which == does not compare rightly; a list of
//	            pointers
//	foreign     types that other modules declare, by alias
//	cluster     cluster-scoped types
//	clash       names that Go, the emitted file or the runtime has already
//	slimmed     slim types of package slim
//	references  references of every shape, unions and filters
//	namespaces  an API package with a name that emitted code uses itself
//	tenants     files for the caches of client-go and controller-runtime
//	elsewhere   types whose file is emitted into another package, elsewhere/cache
//
// TestFresh regenerates them all and fails if one is stale. TestGenerations compiles emitted
// code of an older and of a newer generation than the runtime's. TestReleasedGenerations compiles a file of each
// generation that the runtime promises to take.
package golden

//go:generate go tool indexer-gen ./fleet ./kinds ./cluster ./clash ./values ./foreign ./slimmed ./references ./states
//go:generate go tool indexer-gen -o elsewhere/cache ./elsewhere
//go:generate go tool indexer-gen -o opts/conn ./opts
//go:generate go tool indexer-gen -target=client-go,controller-runtime ./tenants
