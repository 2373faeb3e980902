// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"
	"strconv"
	"strings"
)

// assignKeyFields names the fields of a key struct. Each is named for the last field of its path,
// and for as many fields before it as make the name unique. The part of a plain index is
// named for the index.
func assignKeyFields(ix *Index) {
	if !ix.Composite() {
		ix.Parts[0].Field = ix.Name
		return
	}
	if ix.Kind == Refs {
		ix.Parts[0].Field, ix.Parts[1].Field = "Kind", "Name"
		if ix.To.Namespaced {
			ix.Parts[1].Field = "Key"
		}
		return
	}
	var names [][]string
	for _, part := range ix.Parts {
		names = append(names, joinedEndings(part.pathWords()))
	}
	chosen := shortestDistinctIfPossible(names)
	for i, name := range chosen {
		if name == "Compare" { // the method of the key struct
			chosen[i] = "CompareValue"
		}
	}
	for i, name := range numberDuplicates(chosen) {
		ix.Parts[i].Field = name
	}
}

// joinedEndings lists the endings of words joined, shortest first: C, BC, ABC.
func joinedEndings(words []string) (out []string) {
	for i := range words {
		out = append(out, strings.Join(words[len(words)-1-i:], ""))
	}
	return out
}

// shortestDistinctIfPossible chooses from each list the first name that no other list chooses. Equal lists
// get the same name, and so may lists with the same last name.
func shortestDistinctIfPossible(lists [][]string) []string {
	lists = slices.Clone(lists)
	for {
		out, named := make([]string, len(lists)), map[string]map[string]bool{}
		for i, names := range lists {
			out[i] = names[0]
			if named[out[i]] == nil {
				named[out[i]] = map[string]bool{}
			}
			named[out[i]][strings.Join(names, " ")] = true
		}
		longer := false
		for i, names := range lists {
			if len(named[names[0]]) > 1 && len(names) > 1 {
				lists[i], longer = names[1:], true
			}
		}
		if !longer {
			return out
		}
	}
}

// numberDuplicates adds numbers to names that occur more than once. The paths of such parts differ
// only in characters that names cannot have, such as the dashes of map keys.
func numberDuplicates(names []string) []string {
	out, count, next := slices.Clone(names), map[string]int{}, map[string]int{}
	for _, name := range names {
		count[name]++
	}
	between := func(name string) string {
		for n := range count[name] {
			if count[name+strconv.Itoa(n+1)] > 0 || endsInDigit(name) {
				return "No"
			}
		}
		return ""
	}
	for i, name := range names {
		if count[name] > 1 {
			next[name]++
			out[i] = name + between(name) + strconv.Itoa(next[name])
		}
	}
	return out
}

// pathWords lists the fields, map keys and filter values of the path as Go names.
func (p *Part) pathWords() []string {
	var out []string
	for _, s := range p.Steps {
		switch s.Op {
		case Field:
			out = append(out, s.Name)
		case Lookup:
			out = append(out, exportedCamelCase(s.Name))
		case Match:
			if word := s.filterWord(); word != "" {
				out = append(out, word)
			}
		}
	}
	if one := p.elementName(); one != "" && len(out) > 0 {
		out[len(out)-1] = one
	}
	return out
}

// elementName returns the name of one value of the part if its path ends with a list.
func (p *Part) elementName() string {
	if n := len(p.Steps); n > 0 && p.Steps[n-1].Op == Each {
		return p.Steps[n-1].Singular
	}
	return ""
}

// filterWord names the elements that a filter selects: Ready, NotDraining. It is "" if the step is no filter.
func (s *Step) filterWord() string {
	for _, c := range s.Conditions {
		name := c.Steps[len(c.Steps)-1].Name
		switch {
		case c.Literal == "" || c.Negated:
		case c.Basic != BoolBasic:
			return exportedCamelCase(c.Value)
		case c.Value == "false":
			return "Not" + name
		default:
			return name
		}
	}
	return ""
}
