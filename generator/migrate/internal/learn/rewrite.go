// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"slices"
	"strconv"
	"strings"
)

// A rewrite is a list of markers that may be as good as another and is shorter. It may need a note.
type possibleRewrite struct {
	markers     []*marker
	mayAddNotes bool
}

// possibleRewrites returns the rewrites of a list of markers.
func possibleRewrites(list []*marker) (out []possibleRewrite) {
	add := func(mayAddNotes bool, by *marker, i int, gone ...int) { // in place of the marker i, without others
		if by != nil {
			next := slices.Clone(list)
			next[i] = by
			for _, j := range gone {
				next = slices.Delete(next, j, j+1)
			}
			out = append(out, possibleRewrite{next, mayAddNotes})
		}
	}
	for i, m := range list {
		add(true, m.asReference(), i)
		add(true, m.withTargetFromConditions(), i)
		for j, o := range list {
			if i != j {
				add(true, m.mergeNamespaceMarker(o), i, j)
				add(true, m.mergeDefaultMarker(o), i, j)
			}
		}
	}
	for i, m := range slices.Backward(list) {
		if len(list) > 1 {
			requiresEmpty := func(c condition) bool { return c.comparesWithEmpty() && !c.isNegated }
			add(slices.ContainsFunc(m.conditions, requiresEmpty), m, i, i)
		}
		for n, c := range m.conditions {
			add(c.comparesWithEmpty() && c.isNegated, m.copyWith(func(m *marker) { m.conditions = slices.Delete(m.conditions, n, n+1) }), i)
		}
	}
	return out
}

// asReference returns the marker of a reference, for one whose keys are namespace and name of another object.
func (m *marker) asReference() *marker {
	if !m.hasNamespaceNameKeys() || m.keyPaths[0] != objectNamespacePath {
		return nil
	}
	return m.copyWith(func(m *marker) { m.refNamespacePath, m.keyPaths = objectNamespacePath, m.keyPaths[1:] })
}

// withoutReferences returns markers with the keys of references to names in the namespace of the object, as paths.
func withoutReferences(markers []*marker) (out []*marker) {
	for _, m := range markers {
		if m.refNamespacePath == objectNamespacePath && m.elsePathOrLiteral+m.referenceOptionsText == "" {
			m = m.copyWith(func(m *marker) {
				m.refNamespacePath, m.refStructPath, m.keyPaths = "", "", []string{objectNamespacePath, m.keyPaths[0]}
			})
		}
		out = append(out, m)
	}
	return out
}

// hasPlainNamespaceNameKeys reports whether keys are two paths with a slash between them.
func (m *marker) hasPlainNamespaceNameKeys() bool {
	return !m.isReference() && slices.Equal(m.keyLiterals, []string{"", "/", ""})
}

// hasNamespaceNameKeys reports whether keys are namespace and name of another object.
func (m *marker) hasNamespaceNameKeys() bool {
	return m.hasPlainNamespaceNameKeys() && m.learner.fieldByPath[m.keyPaths[1]].jsonClass == textClass && m.keyPaths[1] != ".metadata.name"
}

// mergeNamespaceMarker returns a reference with the namespace that another marker's keys have.
func (m *marker) mergeNamespaceMarker(o *marker) *marker {
	if m.refNamespacePath != objectNamespacePath || !o.hasNamespaceNameKeys() || o.keyPaths[1] != m.keyPaths[0] || o.keyPaths[0] == objectNamespacePath {
		return nil
	}
	return m.copyWith(func(m *marker) {
		m.refNamespacePath, m.conditions = o.keyPaths[0], append(m.conditions, o.conditions...)
		m.conditions = slices.DeleteFunc(m.conditions, func(c condition) bool { return c.field.path == m.refNamespacePath })
	})
}

// withTargetFromConditions returns the marker with the path of the struct that refers, and with to= in place of
// conditions on its kind and group.
func (m *marker) withTargetFromConditions() *marker {
	if !m.isReference() || m.refStructPath+m.elsePathOrLiteral != "" || !strings.HasSuffix(m.keyPaths[0], ".name") {
		return nil
	}
	to := m.copyWith(func(m *marker) { m.refStructPath = strings.TrimSuffix(m.keyPaths[0], ".name") })
	kind, group, namespace, absent, others := "", "", objectNamespacePath, false, false
	for _, f := range m.learner.fieldByPath[to.refStructPath].children {
		switch name := lastFieldOrKey(f.path); name {
		case "name", "key", "optional":
		case "apiVersion":
			return nil
		case "namespace":
			namespace = f.path
		case "kind", "group", "apiGroup":
			want, compared := "", false
			for _, c := range m.conditions {
				if compared = compared || c.field.path == f.path; c.field.path == f.path && c.isComparison && !c.isNegated && c.literal != "v1" && c.literal != "core" {
					want = c.literal
				}
			}
			if !compared {
				return nil // the function accepts all
			}
			states := []string{stateAbsent, "=" + want}
			if absent = absent || f.hasOmitEmpty || f.canBeAbsent; f.hasOmitEmpty && !f.canBeAbsent {
				states = append(states, stateEmpty)
			}
			if name == "kind" {
				kind = want
			} else if group = want; want == "" {
				states = append(states, "=v1", "=core")
			}
			c := newCondition(f)
			c.acceptedStates = &states
			to.conditions = append(slices.DeleteFunc(to.conditions, func(o condition) bool { return o.field == f }), c)
			others = true
		default:
			others = true
		}
	}
	of := strings.Trim(kind+"."+group, ".")
	if namespace != m.refNamespacePath || kind == "" && others {
		return nil
	} else if kind == "" {
		return to
	}
	if to.referenceOptionsText = ",to=" + of; absent {
		to.referenceOptionsText += ",absent=" + of
	}
	if group != "" {
		to.referenceOptionsText += ",scope=Namespaced"
	}
	return to
}

// mergeDefaultMarker returns a marker with else= in place of another marker.
func (m *marker) mergeDefaultMarker(o *marker) *marker {
	if len(m.keyPaths) != 1 || m.elsePathOrLiteral+o.elsePathOrLiteral+m.referenceOptionsText != "" || m.isReference() && m.refNamespacePath != objectNamespacePath {
		return nil
	}
	otherwise, value := "", ""
	isLiteral := len(o.keyPaths) == 0 && !m.isReference()
	if isLiteral {
		value, isLiteral = strings.CutPrefix(o.keyLiterals[0], m.keyLiterals[0])
		value = strings.TrimSuffix(value, m.keyLiterals[1])
	} else if m.isReference() && slices.Equal(o.keyPaths, []string{objectNamespacePath}) && o.keyLiterals[0] == "" {
		value, isLiteral = strings.CutPrefix(o.keyLiterals[1], "/")
	}
	switch {
	case isLiteral && m.learner.fieldByPath[m.keyPaths[0]].jsonClass == textClass:
		otherwise = strconv.Quote(value)
	case isLiteral:
		otherwise = value
	case len(o.keyPaths) == 1 && slices.Equal(m.keyLiterals, o.keyLiterals) && m.refNamespacePath == o.refNamespacePath:
		otherwise = o.keyPaths[0]
	}
	if otherwise == "" || otherwise == m.keyPaths[0] || m.isReference() && value == "" && isLiteral {
		return nil
	}
	return m.copyWith(func(m *marker) {
		m.elsePathOrLiteral, m.conditions = otherwise, slices.DeleteFunc(m.conditions, m.isOmitEmptyCondition)
		m.refStructPath = ""
		for _, c := range o.conditions {
			if c.elementPath == "" && c.field.path != m.keyPaths[0] && !(c.isNegated && isAncestorPath(c.field.path, m.keyPaths[0])) {
				m.conditions = append(m.conditions, c)
			}
		}
	})
}
