// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package migrate finds the index functions that a program adds to caches of client-go and controller-runtime, runs
// them, and names the markers that replace them.
//
//	program       packages with their syntax; others are loaded when an index function calls into them
//	find          calls, maps and structs → functions and reads
//	function      a function → its text for another file of its package
//	mentions      the fields and constants that a function and what it calls mention
//	mapfunction   functions from objects to requests → whether they only list by an index
//	uses          functions → where else the program and its tests use them
//	watch         conditions in source → edited source, in which they note whether they were ever true, and ever false
//	edit          edits of files → their text
//	runner        a program in an overlay, which runs the functions
//	internal/learn
//	              linked into that program: a function → markers, compared on random objects
//	names         names of indexes and packages
//	write         markers → a package, and tests with the keys that the functions returned
//	fix           a program that uses functions → one that uses the package
//
// The source of a function says only what to try. Every marker that is printed was compared with the function.
package migrate
