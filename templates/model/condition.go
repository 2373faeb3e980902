// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import "strings"

// Condition is a condition on an object, or on the elements of a list.
type Condition struct {
	Text    string  // as in a marker: .spec.type=="A"
	Steps   []*Step // from the object or the element to the value; each is a Field or a Lookup
	Negated bool
	Literal string // what the value equals, in Go; "" if it need only be present
	Value   string // the same without quotes
	Basic   Basic  // the kind of the value
	Sized   bool   // the value is a list or a map, and present if it has elements
}

// Conditions returns the text of if=, or "".
func (ix *Index) Conditions() string {
	var all []string
	for _, c := range ix.If {
		all = append(all, c.Text)
	}
	return strings.Join(all, " and ")
}
