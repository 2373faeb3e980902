// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package learn learns what an index function does by running it. Package migrate compiles it into a program of its
// own, with the packages of the functions. So it imports the standard library only.
//
//	spots         the values in an object that may differ, and their states
//	run           assignments of states → objects → keys, in which paths take the place of texts: templates
//	boxes         the states in which the function returns a template
//	conditions    states → conditions in the language of markers
//	terms         templates and boxes → markers, and defaults
//	references    markers of keys that are namespace and name → markers of references, with to=
//	marker        the text of a marker, and what its index function returns
//	check, notes  markers beside the function, on random objects
//	main          questions → answers, in the program
//
// Each field of an object has a text of its own, such as Q7z, so keys tell which fields they are made of. From an
// object for which the function returns a template, one spot after the other gets each of its states. The states that
// keep the template are a box, if random assignments in it keep it too. A function with alternatives has several boxes.
//
// The candidates for an answer are checked in order, from the one with the fewest markers. A difference that a note can
// tell, such as that an empty string counts as absent, gets the note. Any other refuses the candidate.
package learn
