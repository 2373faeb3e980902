// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cachemutation is an analyzer that reports writes to objects of a cache which were not copied first.
//
// What a lister, a store or a handler gets is shared with all other readers. The analyzer follows such an object
// through a package, and through calls to other packages, to each write:
//
//	summary      what callers need to know of a function: the fact of the analyzer; paths and labels
//	function     the labels of the values of one function
//	memory       what is stored, and which stores a load finds
//	calls        what calls write and return
//	sources      which calls read a cache, and which types have objects
//	table        what functions of Kubernetes and the standard library do
//	analyzer     a package: handlers, summaries until nothing is new, facts, reports
//	message      the text of a report, and the suggested fix
//
// A label says that a value refers to memory of an origin: a parameter, or an object of a cache. It has the path of
// that memory in the origin, and the path of the reference in the value. So a slice from a lister may be sorted, since
// only its elements are shared, and a copied struct may get other fields, but not other elements of its maps.
//
// Values of a function literal's variables are parameters of it. The body counts as executed where the literal
// is made. Calls of function values and of methods of interfaces beyond the table do nothing, as far as the analyzer
// knows.
package cachemutation
