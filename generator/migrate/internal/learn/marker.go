// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A marker is one marker of an index, and what its index function returns.
type marker struct {
	learner              *learner
	keyLiterals          []string // of the function's keys: before, between and after the parts
	keyPaths             []string // paths of the parts of the key; of a reference, of the name
	conditions           []condition
	elsePathOrLiteral    string // a path, which begins with a dot, or a literal: a text has quotes
	refNamespacePath     string // of a reference: the path of its namespace; of others none
	refStructPath        string // of a reference that is a struct: its path
	referenceOptionsText string // of a reference with a kind: to= and what belongs to it

	elementPaths   []string // of the elements that keyPaths go through
	resultBySample map[*sample]markerResult
}

// markerResult is what a marker returns for a sample.
type markerResult struct {
	keys        []string
	usedDefault bool

	hasEmptyPart bool // a part of a key is empty
}

// copyWith returns the marker with a change.
func (m marker) copyWith(change func(*marker)) *marker {
	m.conditions, m.resultBySample = slices.Clone(m.conditions), map[*sample]markerResult{}
	change(&m)
	conds := m.conditions
	m.conditions = nil
	for _, c := range conds {
		if !slices.Contains(m.conditions, c) {
			m.conditions = append(m.conditions, c)
		}
	}
	m.elementPaths = elementPathsOf(append([]string{m.refNamespacePath}, m.keyPaths...)...)
	if len(m.keyPaths) == 0 {
		for _, c := range m.conditions {
			m.elementPaths = elementPathsOf(append(m.elementPaths, c.elementPath)...)
		}
	}
	return &m
}

// isReference reports whether the marker is of a reference.
func (m *marker) isReference() bool { return m.refNamespacePath != "" }

// isOmitEmptyCondition reports whether a condition is that the marker's key is not empty or 0.
func (m *marker) isOmitEmptyCondition(c condition) bool {
	filled := !c.isComparison && !c.isNegated && c.acceptedStates == nil || c.isNegated && c.field.jsonClass == numberClass && c.literal == "0"
	return filled && len(m.keyPaths) == 1 && c.field.path == m.keyPaths[0]
}

// pathWithFilters returns a path with the filters of its lists.
func (m *marker) pathWithFilters(path string) (out string) {
	from := 0
	for _, elem := range elementPathsOf(path) {
		list := strings.TrimSuffix(elem, elementStep)
		out += list[from:]
		if filter := m.conditionTexts(elem); len(filter) > 0 {
			out += "[?(" + strings.Join(filter, " && ") + ")]"
		} else if elem != path || m.learner.fieldByPath[list].isMap {
			out += elementStep
		}
		from = len(elem)
	}
	return out + path[from:]
}

// conditionTexts returns the conditions on an element.
func (m *marker) conditionTexts(elementPath string) (out []string) {
	for _, c := range m.conditions {
		if c.elementPath == elementPath && c.acceptedStates == nil && !m.isOmitEmptyCondition(c) {
			out = append(out, c.conditionText())
		}
	}
	slices.Sort(out)
	return out
}

// unnamedMarkerText returns the marker with NAME in place of the name of its index.
func (m *marker) unnamedMarkerText() string {
	var paths []string
	for _, p := range m.keyPaths {
		paths = append(paths, m.pathWithFilters(p))
	}
	conds, out := m.conditionTexts(""), "+index:name=NAME"
	switch {
	case m.refStructPath != "":
		out = "+index:ref:name=NAME,path=" + m.pathWithFilters(m.refStructPath) + m.referenceOptionsText
	case m.refNamespacePath == objectNamespacePath:
		out = "+index:ref:name=NAME,path=" + paths[0]
	case m.isReference():
		out = "+index:ref:name=NAME,path=" + paths[0] + ",namespacePath=" + m.pathWithFilters(m.refNamespacePath)
	case len(paths) == 0:
		for _, elem := range m.elementPaths {
			conds = append(conds, m.pathWithFilters(elem))
		}
	case len(paths) == 1:
		out += ",path=" + paths[0]
	default:
		out += ",paths={" + strings.Join(paths, ",") + "}"
	}
	switch {
	case looksLikePath(m.elsePathOrLiteral):
		out += ",else=" + m.pathWithFilters(m.elsePathOrLiteral)
	case m.elsePathOrLiteral != "":
		out += ",else=" + m.elsePathOrLiteral
	case slices.ContainsFunc(m.conditions, m.isOmitEmptyCondition):
		out += ",omitempty=true"
	}
	if len(conds) > 1 {
		out += ",if={" + strings.Join(conds, ",") + "}"
	} else if len(conds) == 1 {
		out += ",if=" + conds[0]
	}
	return out
}

// valueOrFormatOption returns the option that one marker of a union has for all, or "": the text of keys of several
// parts, in which slashes are escaped without it, or that of a state.
func (m *marker) valueOrFormatOption() string {
	if len(m.keyPaths) == 0 && m.keyLiterals[0] != "true" {
		return ",value=" + strconv.Quote(m.keyLiterals[0])
	} else if len(m.keyPaths) < 2 {
		return ""
	}
	form := strings.ReplaceAll(strings.Join(m.keyLiterals, "\x00"), "%", "%%")
	return ",format=" + strconv.Quote(strings.ReplaceAll(form, "\x00", "%s"))
}

func looksLikePath(s string) bool { return strings.HasPrefix(s, ".") }

// boundElements has the element that a path with [*] stands for.
type boundElements map[string]valuesByPath

func (b boundElements) valueAt(path string) stateNode {
	elem, rest := splitAtElement(path)
	return b[elem][rest]
}

// bindMatchingElements returns all combinations of further elements that satisfy the conditions.
func (m *marker) bindMatchingElements(bound boundElements, elementPaths []string) []boundElements {
	all := []boundElements{bound}
	for _, elem := range elementPaths {
		var next []boundElements
		for _, bound := range all {
			if bound[elem] != nil {
				next = append(next, bound)
				continue
			}
			for _, e := range bound.valueAt(strings.TrimSuffix(elem, elementStep)).elements {
				if m.satisfiesConditions(elem, e) {
					bound := maps.Clone(bound)
					bound[elem] = e
					next = append(next, bound)
				}
			}
		}
		all = next
	}
	return all
}

func (m *marker) satisfiesConditions(elementPath string, element valuesByPath) bool {
	for i := range m.conditions {
		if c := &m.conditions[i]; c.elementPath == elementPath && !c.holdsForState(element[c.pathInElement].state) {
			return false
		}
	}
	return true
}

// resultFor returns the keys of a sample as the text that the function returns, and whether a default is among them.
func (m *marker) resultFor(s *sample) markerResult {
	known, ok := m.resultBySample[s]
	if !ok {
		known = m.computeResult(s.recordedRootValues)
		m.resultBySample[s] = known
	}
	return known
}

func (m *marker) computeResult(obj valuesByPath) (out markerResult) {
	if !m.satisfiesConditions("", obj) {
		return out
	}
	own := obj[objectNamespacePath].valueText()
	add := func(given string, parts ...string) {
		if m.isReference() {
			namespace, name := cmp.Or(given, own), parts[0]
			if before, after, slash := strings.Cut(name, "/"); slash && m.refStructPath == "" {
				if namespace, name = before, after; m.refNamespacePath != objectNamespacePath || strings.Contains(name, "/") {
					return // only a text alone may be namespace/name
				}
			}
			if parts = []string{namespace, name}; namespace == "" || name == "" {
				return
			}
		}
		key := m.keyLiterals[0]
		for i, p := range parts {
			key += p + m.keyLiterals[i+1]
		}
		out.keys, out.hasEmptyPart = append(out.keys, key), out.hasEmptyPart || slices.Contains(parts, "")
	}
	outer := []boundElements{{"": obj}}
	if looksLikePath(m.elsePathOrLiteral) {
		outer = m.bindMatchingElements(outer[0], elementPathsOf(m.elsePathOrLiteral))
	}
	for _, b := range outer {
		before, filled := len(out.keys), m.elsePathOrLiteral == ""
		for _, b := range m.bindMatchingElements(b, m.elementPaths) {
			if parts := m.keyPartsOrNil(b); parts != nil || len(m.keyPaths) == 0 {
				filled = filled || parts[0] != ""
				add(b.valueAt(m.refNamespacePath).valueText(), parts...)
			}
		}
		value, n := m.elsePathOrLiteral, b.valueAt(m.elsePathOrLiteral)
		if filled {
			continue
		} else if out.keys = out.keys[:before]; looksLikePath(value) {
			value = n.valueText()
		} else if literal, err := strconv.Unquote(value); err == nil {
			value = literal
		}
		if n.state != stateAbsent || !looksLikePath(m.elsePathOrLiteral) {
			out.usedDefault = true
			add("", value)
		}
	}
	return out
}

// keyPartsOrNil returns the values in a key, or nil if one is absent.
func (m *marker) keyPartsOrNil(b boundElements) (out []string) {
	for _, p := range m.keyPaths {
		if b.valueAt(p).state == stateAbsent {
			return nil
		}
		out = append(out, b.valueAt(p).valueText())
	}
	return out
}

// inexpressibleError returns why no marker has the keys and conditions, or "". The generator refuses further ones.
func (m *marker) inexpressibleError() string {
	switch {
	case len(m.keyPaths) == 0 && len(m.conditions) == 0:
		return fmt.Sprintf("the key %q of all objects", m.keyLiterals[0])
	case len(m.keyPaths) == 1 && !m.isReference() && m.keyLiterals[0]+m.keyLiterals[1] != "":
		return fmt.Sprintf("a key with text around a field: %q", strings.Join(m.keyLiterals, "…"))
	}
	for _, c := range m.conditions {
		if c.elementPath != "" && !slices.Contains(m.elementPaths, c.elementPath) {
			return "a condition on some element of " + strings.TrimSuffix(c.elementPath, elementStep) + " that the key does not come from"
		}
	}
	return ""
}
