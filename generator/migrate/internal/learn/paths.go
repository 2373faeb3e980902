// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"slices"
	"strconv"
	"strings"
)

// each is the step of a path to the elements of a list, or to the values of a map.
const each = "[*]"

const ownNamespace = ".metadata.namespace"

// listOf returns the path of the innermost element that a path goes through, or "", and the path from there.
func listOf(path string) (elem, rest string) {
	i := strings.LastIndex(path, each)
	if i < 0 {
		return "", path
	}
	return path[:i+len(each)], path[i+len(each):]
}

// loops returns the paths of the elements that paths go through, outer ones first.
func loops(paths ...string) []string {
	out := []string{}
	for _, p := range paths {
		for i := range p {
			if elem := p[:i+1]; strings.HasSuffix(elem, each) && !slices.Contains(out, elem) {
				out = append(out, elem)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return len(a) - len(b) })
	return out
}

// nameOf returns the last field of a path.
func nameOf(path string) string {
	name := path[strings.LastIndex(path, ".")+1:]
	if i := strings.LastIndex(path, "['"); i >= 0 {
		name = path[i+2:]
		return name[:max(0, strings.Index(name, "']"))]
	}
	return strings.TrimSuffix(name, each)
}

// above reports whether a path goes through what another leads to.
func above(other, path string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && rest != "" && strings.Contains(".[", rest[:1])
}

// An object is what a function gets, or the element of a list: what is there, by the path from it.
type object map[string]node

// A node is a value in an object. One that is absent has no state.
type node struct {
	state string
	elems []object
}

// text returns the node's value.
func (n node) text() string { return strings.TrimPrefix(n.state, "=") }

// numberOf returns the number of a state, or 0.
func numberOf(state string) int { n, _ := strconv.Atoi(strings.TrimPrefix(state, "=")); return n }
