// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package migrate finds the index functions that a program adds to caches of client-go and controller-runtime, and
// names the markers that replace them.
//
//	program       packages with their syntax; others are loaded when an index function calls into them
//	find          calls and literals → registrations
//	statements, expressions, conditions, assignments, calls, known
//	              the function on a symbolic object → terms: a key, and the conditions of it
//	terms         terms → fewer terms
//	marker        terms → markers, with notes on what differs
//	write         markers → a package, and tests that run both functions
//
// The object is a value of which only the type is known. A condition on it splits the state. A loop over a list of the
// object runs once, with an element that stands for all. What the function appends to a list is joined after branches
// and loops, under the conditions of each. So the value of the function is a set of terms, and each term is a marker.
//
// What the evaluator does not know ends the evaluation, with the operation and its place. It is never guessed. The
// tests that [Write] writes are the proof: the evaluator may be wrong, and then they fail.
package migrate
