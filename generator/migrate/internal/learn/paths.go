// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"slices"
	"strconv"
	"strings"
)

// elementStep is the step of a path to the elements of a list, or to the values of a map.
const elementStep = "[*]"

const objectNamespacePath = ".metadata.namespace"

// splitAtElement returns the path of the innermost element that a path goes through, or "", and the path from there.
func splitAtElement(path string) (elementPath, pathInElement string) {
	i := strings.LastIndex(path, elementStep)
	if i < 0 {
		return "", path
	}
	return path[:i+len(elementStep)], path[i+len(elementStep):]
}

// elementPathsOf returns the paths of the elements that paths go through, outer ones first.
func elementPathsOf(paths ...string) []string {
	out := []string{}
	for _, p := range paths {
		for i := range p {
			if elem := p[:i+1]; strings.HasSuffix(elem, elementStep) && !slices.Contains(out, elem) {
				out = append(out, elem)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return len(a) - len(b) })
	return out
}

// lastFieldOrKey returns the last field of a path.
func lastFieldOrKey(path string) string {
	name := path[strings.LastIndex(path, ".")+1:]
	if i := strings.LastIndex(path, "['"); i >= 0 {
		name = path[i+2:]
		return name[:max(0, strings.Index(name, "']"))]
	}
	return strings.TrimSuffix(name, elementStep)
}

// isAncestorPath reports whether a path goes through what another leads to.
func isAncestorPath(ancestor, path string) bool {
	rest, ok := strings.CutPrefix(path, ancestor)
	return ok && rest != "" && strings.Contains(".[", rest[:1])
}

// A valuesByPath is what a function gets, or the element of a list: what is there, by the path from it.
type valuesByPath map[string]stateNode

// A stateNode is a value in an object. One that is absent has no state.
type stateNode struct {
	state    string
	elements []valuesByPath
}

// valueText returns the node's value.
func (n stateNode) valueText() string { return strings.TrimPrefix(n.state, "=") }

// stateNumber returns the number of a state, or 0.
func stateNumber(state string) int { n, _ := strconv.Atoi(strings.TrimPrefix(state, "=")); return n }
