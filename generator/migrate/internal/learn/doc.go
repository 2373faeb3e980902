// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package learn learns what an index function does by running it. Package migrate compiles it into a program of its
// own, with the packages of the functions. So it imports the standard library only.
//
//	states        how values and their texts in keys correspond
//	fields        a type → the values in its objects that may differ, and their states
//	fill          states → an object as JSON
//	samples       objects → keys of the function
//	seen          conditions in the source of the function → those that no sample shows both ways, and samples that may
//	template      keys → their form, in which paths take the place of texts
//	conditions    states → conditions in the language of markers
//	alternatives  templates, and the conditions under which the function returns them → markers
//	marker        the text of a marker, and what its index function returns
//	rewrite       markers → shorter ones, such as references and defaults
//	check         markers beside the function, on all samples, with notes
//	rows          markers → short objects for a test, which tell them from others
//	main          questions → answers, in the program
//
// Each field of an object has a text of its own, such as Q7z, so keys tell which fields they are made of. From a sample
// for which the function returns a template, one field after the other gets each of its states. A condition stays if,
// without it, the others hold for some sample for which the function does not return it. A function with alternatives
// has several such lists of conditions, each a marker.
//
// Texts that the function computes are in no list of constants. So if a condition of its source was always true or always
// false, the texts that it compares are tried in the fields. Conditions that stay so are part of the answer.
//
// These markers are long. As long as one of the rewrites is shorter and differs from the function for no more objects,
// it takes their place. If markers and function differ for an object, the function runs once more, on the object with
// other texts in place of empty ones. If both return the same then, the markers get a note that says so. If not, they are
// refused.
package learn
