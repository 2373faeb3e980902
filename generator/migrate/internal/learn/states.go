// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"fmt"
	"regexp"
)

// A state is what a sample says of a value: that it is absent, or = and its text. The text of a string, a boolean and a
// number is what a key has; lists, maps and structs only are there. So
//
//	{"metadata":{"name":"Q2z","labels":{"app":"","Kz":"Q6z"}},"spec":{"count":7000008,"refs":[{"kind":"A"}]}}
//
// is an object of these states, by their paths:
//
//	.metadata             =all      .spec.count          =7000008
//	.metadata.name        =Q2z      .spec.refs           =all
//	.metadata.labels      =all      .spec.refs[*]        =all
//	.metadata.labels['app']   =     .spec.refs[*].kind   =A
//	.metadata.labels[*]   =Q6z      .spec.refs[*].name   absent
//
// The key "Q2z/7000008" of a function for this object is then of .metadata.name, a slash, and .spec.count, since no other
// value and no constant has these texts.
const (
	stateAbsent  = ""
	stateEmpty   = "="    // of a text, a list or a map
	statePresent = "=all" // of a list, a map or a struct
)

// uniqueTextState and uniqueNumberState are states that only one field has. A number of seven digits is no constant of a
// function, and fits into 32 bits. otherTextState takes the place of uniqueTextState where a key is looked for that does
// not follow the text.
func uniqueTextState(fieldIndex int) string   { return fmt.Sprintf("=Q%dz", fieldIndex) }
func otherTextState(fieldIndex int) string    { return fmt.Sprintf("=X%dz", fieldIndex) }
func uniqueNumberState(fieldIndex int) string { return fmt.Sprint("=", 7000000+fieldIndex) }

// uniqueMapKey is the key of an entry of a map. A function whose keys have it returns keys of the map.
const uniqueMapKey = "Kz"

// uniqueTexts matches the texts of uniqueTextState and uniqueNumberState in a key.
var uniqueTexts = regexp.MustCompile(`Q\d+z|70\d{5}`)

// Numbers that decide how long a function is tried: more samples find rarer conditions, and take more time.
const (
	samplesPerRound          = 4000 // in each round of discovery, and of objects with several elements: some seconds for large types
	discoveryRounds          = 10   // until some key has a field in it
	conditionRounds          = 50   // of conditions that are refuted, and found again
	samplesPerConditionRound = 300  // in each of these rounds, in each of which one condition or more is added
	maxAlternatives          = 30   // nobody would read a union of more markers
	maxConstantsPerField     = 30   // constants that are states of one field; objects with several elements have the others, too
	maxComparedTexts         = 4    // of a condition in one call: a loop compares more, and these show their form
)
