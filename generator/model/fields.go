// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"
	"strconv"
	"strings"
)

// nameParts names the fields of a key struct: each for the last field of its
// path, with as many of those before it as make it unique. The one part of a
// plain index is named for the index.
func nameParts(ix *Index) {
	if !ix.Composite() {
		ix.Parts[0].Field = ix.Name
		return
	}
	var names [][]string
	for _, part := range ix.Parts {
		names = append(names, endings(part.words()))
	}
	chosen := distinct(names)
	for i, part := range ix.Parts {
		part.Field = chosen[i]
	}
	if len(setOf(chosen)) < len(chosen) {
		numberParts(ix)
	}
}

// endings lists what words end with, the shortest first: C, BC, ABC.
func endings(words []string) (out []string) {
	for i := range words {
		out = append(out, strings.Join(words[len(words)-1-i:], ""))
	}
	return out
}

// distinct chooses one of the names of each list, the first that is unlike those of all
// other lists. Lists that have no such name are left with their last.
func distinct(lists [][]string) []string {
	lists = slices.Clone(lists)
	for {
		out, count := make([]string, len(lists)), map[string]int{}
		for i, names := range lists {
			out[i] = names[0]
			count[names[0]]++
		}
		longer := false
		for i, names := range lists {
			if count[names[0]] > 1 && len(names) > 1 {
				lists[i], longer = names[1:], true
			}
		}
		if !longer {
			return out
		}
	}
}

// numberParts adds numbers to the names of all parts, since two of them have the same
// path.
func numberParts(ix *Index) {
	taken := ix.fields()
	for i, part := range ix.Parts {
		n := i + 1
		for taken[part.Field+strconv.Itoa(n)] {
			n += len(ix.Parts)
		}
		part.Field += strconv.Itoa(n)
		taken[part.Field] = true
	}
}

// avoidCompare renames a field of a key struct that has the name of its method.
func avoidCompare(ix *Index) {
	const method = "Compare"
	taken := ix.fields()
	for _, part := range ix.Parts {
		if !ix.Composite() || part.Field != method {
			continue
		}
		part.Field = method + "Value"
		for n := 2; taken[part.Field]; n++ {
			part.Field = method + strconv.Itoa(n)
		}
	}
}

func (ix *Index) fields() map[string]bool {
	var names []string
	for _, part := range ix.Parts {
		names = append(names, part.Field)
	}
	return setOf(names)
}

// words lists what the path passes through, in Go's spelling.
func (p *Part) words() []string {
	var out []string
	for _, s := range p.Steps {
		switch s.Op {
		case Field:
			out = append(out, s.Name)
		case Lookup:
			out = append(out, camel(s.Name))
		case Match:
			out = append(out, camel(s.Value))
		}
	}
	if one := p.element(); one != "" && len(out) > 0 {
		out[len(out)-1] = one
	}
	return out
}

// element is what one value of a part is called if the path ends with a list.
func (p *Part) element() string {
	if n := len(p.Steps); n > 0 && p.Steps[n-1].Op == Each {
		return p.Steps[n-1].Singular
	}
	return ""
}
