// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import "strings"

// Condition is a condition on an object, on the elements of a list, or on the kind or group of a reference.
type Condition struct {
	Text    string  // as in a marker: .spec.type=="A"
	Steps   []*Step // from the object or the element to the value; each is a Field or a Lookup
	Negated bool
	Literal string // what the value equals, in Go; "" if it need only be present
	Value   string // the same without quotes
	Basic   Basic  // the kind of the value
	Sized   bool   // the value is a list or a map, and present if it has elements

	// Of a reference.
	Values       []string // the values that the field may have
	Absent       bool     // an absent field satisfies it
	Empty        bool     // an empty string satisfies it
	GroupVersion bool     // the field is an apiVersion, and Values is a group
	Named        bool     // the field is of a named string type
}

// Conditions returns the text of if=, or "".
func (ix *Index) Conditions() string {
	var all []string
	for _, c := range ix.If {
		all = append(all, c.Text)
	}
	return strings.Join(all, " and ")
}

// OnlyIf says which objects have values of a source, and what the others have: " (if .spec.a, else .spec.b)".
func (ix *Index) OnlyIf() string {
	var all []string
	if len(ix.If) > 0 {
		all = append(all, "if "+ix.Conditions())
	}
	if ix.Else != nil {
		all = append(all, "else "+ix.Else.Path)
	}
	if all == nil {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}
