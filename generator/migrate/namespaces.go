// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"slices"
	"strings"
)

// namespaced finds pairs of terms that are a namespace with the object's own as its default. It returns the terms
// without the second of each pair, and the identities of the keys that have the default.
func namespaced(terms []item) (defaulted map[string]bool, out []item) {
	defaulted = map[string]bool{}
	dropped := map[int]bool{}
	for i, t := range terms {
		_, with := split(t.value)
		if len(with) != 2 || isOwnNamespace(with[0]) {
			continue
		}
		about := func(a atom) bool { return slices.Equal(a.at, with[0].steps) }
		for j, o := range terms {
			_, own := split(o.value)
			if len(own) != 2 || !isOwnNamespace(own[0]) || !slices.Equal(own[1].steps, with[1].steps) {
				continue
			}
			mine := slices.DeleteFunc(slices.Clone(t.conds), about)
			rest := slices.DeleteFunc(slices.Clone(o.conds), about)
			absent := slices.ContainsFunc(o.conds, func(a atom) bool { return about(a) && a.absent() })
			if absent && follow(mine, rest) && follow(rest, mine) {
				defaulted[identity(t.value)] = true
				dropped[j] = true
				terms[i].conds = mine
			}
		}
	}
	for i, t := range terms {
		if !dropped[i] {
			out = append(out, t)
		}
	}
	return defaulted, out
}

func isOwnNamespace(p *place) bool { return pathText(p.steps, nil) == ".metadata.namespace" }

// reference reports whether the key is the namespace and name of an object.
func (b *builder) reference() bool {
	return len(b.places) == 2 && strings.Join(b.ix.text[1:], "\x00") == "/\x00" && isString(deref(b.places[1].typ)) &&
		(b.defaulted || isOwnNamespace(b.places[0])) && pathText(b.places[1].steps, nil) != ".metadata.name"
}

// refers returns the struct that has a name, if it is a reference without a kind.
func (b *builder) refers(name *place) (*place, bool) {
	n := len(name.steps) - 1
	if n < 1 || name.steps[n].name != "name" {
		return nil, false
	}
	at := b.root.typ
	for _, s := range name.steps[:n] {
		at = below(at, s)
	}
	fields := jsonNames(at)
	other := func(field string) bool {
		return !slices.Contains([]string{"name", "namespace", "key", "optional"}, field)
	}
	if fields == nil || slices.ContainsFunc(fields, other) || slices.Contains(fields, "namespace") != b.defaulted {
		return nil, false
	}
	return &place{steps: name.steps[:n], typ: at}, true
}
