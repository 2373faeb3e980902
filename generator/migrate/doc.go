// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package migrate finds the index functions that a program adds to caches of client-go and controller-runtime, and
// names the markers that replace them.
//
//	program       packages with their syntax; others are loaded when an index function calls into them
//	find          calls and literals → registrations
//	ssa           packages in SSA form, of golang.org/x/tools/go/ssa
//	evaluator, merge, loops, instructions, memory, calls, conditions, text
//	              the function on a symbolic object → items: a key, and the conditions of it
//	terms         conditions, and items → fewer items
//	defaults      items → terms, with else=, to= and absent=
//	marker, filters
//	              terms → markers, with notes on what differs
//	write         markers → a package, and tests that run both functions
//
// The object is a value of which only the type is known. A variable has several values, each under conditions. Each
// block of a function is evaluated once, after those that lead to it, and where blocks meet, values are merged. A loop
// over a list of the object runs once, with an element that stands for all. A list is its items under conditions, so
// the value of the function is a set of items, and each becomes a marker.
//
// What the evaluator does not know ends the evaluation, with the operation and its place. It is never guessed. The
// tests that [Write] writes are the proof: the evaluator may be wrong, and then they fail.
package migrate
