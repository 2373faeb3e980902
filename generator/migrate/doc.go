// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package migrate finds the index functions that a program adds to caches of client-go and controller-runtime, and
// names the markers that replace them.
//
//	program       packages with their syntax and in SSA form; others are loaded when an index function calls into them
//	find, readers calls, maps and structs → registrations and reads
//	explore       what a function returns, and under which conditions → items
//	evaluator, loops, instructions, memory, conditions, text
//	              one run of a function on a symbolic object
//	terms         conditions, and items → fewer items
//	marker, filters, defaults
//	              items → markers, with notes on what differs
//	write         markers → a package, and tests that run both functions
//
// Of the object, only the type is known. A run may ask about it, for example whether a field is empty. The run takes
// yes for an answer, and another run takes no. The results of both are merged, from the last question to the first: what
// only one of them has gets its answer as a condition. The body of a loop over a list of the object runs with one element
// that stands for all, and what it appends to lists is merged where it ends. A list is its items under conditions. So the
// value of the function is a set of items, and each item becomes a marker.
//
// What the evaluator does not know ends the evaluation, with the operation and its place. It is never guessed. The
// tests that [Write] writes are the proof: the evaluator may be wrong, and then they fail.
package migrate
