// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import "slices"

// Shared returns the number of steps of the path to the last list or map that the path of Else leads into, too: Else
// counts once for each of its elements. It is 0 if there is none. single reports whether the path has at most one
// value there. Shared returns -1 for a source without Else.
func (ix *Index) Shared() (steps int, single bool) {
	if ix.Else == nil {
		return -1, false
	}
	single = !ix.Split // which has no value unless it is a name
	for i, s := range ix.Parts[0].Steps {
		switch {
		case s.Op == Match && steps == i:
			steps++ // the filter of the list
		case s.Op != Each && s.Op != EachOfMap:
		case i < len(ix.Else.Steps) && ix.Parts[0].Prefix(i) == ix.Else.Prefix(i):
			steps = i + 1
		default:
			single = false
		}
	}
	return steps, single
}

// Replaces reports whether Else replaces several empty strings.
func (ix *Index) Replaces() bool {
	_, single := ix.Shared()
	return ix.Else != nil && !single && ix.Kind == Paths && ix.Parts[0].Basic == StringBasic
}

// partsAndElse lists the parts of a source, and its Else.
func (ix *Index) partsAndElse() []*Part {
	if ix.Else == nil {
		return ix.Parts
	}
	return append(slices.Clip(ix.Parts), ix.Else)
}
