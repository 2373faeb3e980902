// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package runtime declares the generations of emitted code that this module supports. What
// emitted code calls is in the packages below, listed in the order in which an object passes
// through them:
//
//	source      lists and watches, through any typed client
//	shard       a part of a source's objects, for replicas that divide them
//	reflector   decides when to list, watch, resume and retry
//	delta       a change of an object, and batches of changes
//	store       objects with typed indexes, snapshots and batches
//	informer    runs the stages, calls handlers, and has the factory; informer/doc.go names
//	            each place that a change passes
//	lister      reads by namespace, name and label selector
//
// Module runtime/wire is a source over net/http. Beside the path of an object:
//
//	watch       a typed watch without a cache
//	queue       client-go's queues, and the path to a function of your own, without a store
//	discovery   whether a server serves a type that may be absent
//	trigger     yields the keys of the objects that a change concerns
//	mutation    finds writes to cached objects, for tests
//	metrics     what informers count; module runtime/prometheus exports it
//	page        a page about informers, for people and as JSON
//	canonical   times and quantities as comparable keys
//	slim        metadata for types of only a few fields
//	runtimetest a source for tests
//
// # Generations
//
// Each emitted file refers to the constant of its generation, such as [GenVersion4]. A file that
// this module cannot serve does not compile: upgrade the module if the file is newer, and run the
// generator again if it is older.
//
// # Documentation
//
// The directory docs of the repository has the pages for users. Among them are
// reading-and-watching.md, testing.md, operating.md, design.md with a glossary, and
// from-client-go.md with the counterpart of every part of client-go's cache.
//
// The module depends on k8s.io/apimachinery and not on client-go. A project that imports it
// keeps its own versions of everything else.
package runtime
