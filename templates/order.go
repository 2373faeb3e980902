// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// words are how one speaks of an order.
type words struct{ from, to, min, max, value string }

func orderWords(ix *model.Index) words {
	if !ix.Composite() {
		switch ix.Parts[0].Asked().Ident {
		case model.Ident{Path: model.Time, Name: "Time"}:
			return words{"not before", "before", "earliest", "latest", "time"}
		case model.Ident{Path: model.Time, Name: "Duration"}:
			return words{"at least", "less than", "shortest", "longest", "duration"}
		}
	}
	return words{"at least", "less than", "lowest", "highest", "value"}
}

// within says of which objects the values are within bounds.
func (w words) within(ix *model.Index, bounds string) string {
	switch {
	case ix.Kind == model.Funcs && ix.Several:
		return fmt.Sprintf("for which %s returns, among others, a %s that is %s", ix.Of.Name, w.value, bounds)
	case ix.Kind == model.Funcs:
		return fmt.Sprintf("for which %s returns a %s that is %s", ix.Of.Name, w.value, bounds)
	}
	return "whose " + valueOf(ix) + " is " + bounds
}

// at says which object has the value at an end of the order.
func (w words) at(ix *model.Index, end string) string {
	if ix.Kind == model.Funcs {
		return fmt.Sprintf("for which %s returns the %s %s", ix.Of.Name, end, w.value)
	}
	return "with the " + end + " " + valueOf(ix)
}

// valueOf is what an ordered index orders by, in words.
func valueOf(ix *model.Index) string {
	if ix.Composite() {
		return ix.Key
	}
	path := ix.Parts[0].Path
	if list, _ := ix.Parts[0].List(); list == path && ix.Kind == model.Paths {
		return path + "[*]" // one of the list at its end
	}
	return path
}
