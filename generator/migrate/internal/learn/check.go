// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// A difference tells how keys of markers differ from those of the function.
type difference struct {
	notes   []note
	unnoted []*sample
	panics  []*sample
	missing *marker // no sample is indexed by it
}

// keysOf returns the keys of all markers, sorted.
func keysOf(markers []*marker, s *sample) (out []string) {
	for _, m := range markers {
		out = append(out, m.keys(s).keys...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// compare compares markers with the function. It ends when more samples differ than may.
func (l *learner) compare(markers []*marker, most int) (out difference) {
	var noted [][]note // for each sample, the notes that tell why it differs
	possible := l.notes(markers)
	for _, s := range slices.Concat(l.others, l.samples) {
		got := keysOf(markers, s)
		if slices.Equal(got, s.keys) {
			continue
		} else if s.panicked != "" && l.loose {
			out.panics = append(out.panics, s)
			continue
		}
		by := slices.DeleteFunc(slices.Clone(possible), func(n note) bool { return !n.covers(s, got) })
		if len(by) > 0 {
			noted = append(noted, by)
		} else if out.unnoted = append(out.unnoted, s); len(out.unnoted) > most {
			return out
		}
	}
	slices.SortStableFunc(noted, func(a, b []note) int { return len(a) - len(b) })
	used := map[string]bool{}
	for _, by := range noted {
		if !slices.ContainsFunc(by, func(n note) bool { return used[n.text] }) {
			used[by[0].text] = true
		}
	}
	out.notes = slices.DeleteFunc(possible, func(n note) bool { return !used[n.text] })
	for _, m := range markers {
		if !l.reached(m, out.notes) {
			out.missing = m
		}
	}
	return out
}

// reached reports whether a marker returns keys, and its default if it has one, for samples that no note covers.
func (l *learner) reached(m *marker, notes []note) bool {
	keyed, defaulted := false, m.otherwise == ""
	return slices.ContainsFunc(slices.Concat(l.others, l.samples), func(s *sample) bool {
		made, told := m.keys(s), slices.ContainsFunc(notes, func(n note) bool { return n.covers(s, nil) })
		if len(made.keys) > 0 && s.panicked == "" && !told {
			keyed, defaulted = keyed || !made.defaulted, defaulted || made.defaulted
		}
		return keyed && defaulted
	})
}

// smallest rewrites markers as long as they become shorter and no worse.
func (l *learner) smallest(markers []*marker) ([]*marker, difference) {
	now := l.compare(markers, 400)
	for again := len(now.unnoted) < 400; again; {
		again = false
		rewrites(markers, func(list []*marker, noted bool) bool {
			if len(described(list)) >= len(described(markers)) {
				return false
			}
			next := l.compare(list, len(now.unnoted))
			again = len(next.unnoted) <= len(now.unnoted) && next.missing == nil && (noted || len(next.notes) <= len(now.notes))
			if again {
				markers, now = list, next
			}
			return again
		})
	}
	return markers, now
}

// told returns the notes that tell how markers differ, or why they do not replace the function.
func (d difference) told(markers []*marker) (notes []string, why string) {
	for _, n := range d.notes {
		if n.text != "" {
			notes = append(notes, n.text)
		}
	}
	if s, text := shortest(d.panics); s != nil {
		notes = append(notes, fmt.Sprintf("the function panics for %s: %s", text, s.panicked))
	}
	if s, text := shortest(d.unnoted); s != nil {
		theirs := fmt.Sprintf("returns %q", s.keys)
		if s.panicked != "" {
			theirs = "panics: " + s.panicked
		}
		why = fmt.Sprintf("for %s the function %s, and %s %q", text, theirs, described(markers), keysOf(markers, s))
	} else if d.missing != nil {
		why = "no random object that was tried is indexed by " + d.missing.Text()
	}
	return notes, why
}

func described(markers []*marker) string {
	var out []string
	for _, m := range markers {
		out = append(out, strings.Replace(m.Text(), "name=NAME,", "", 1))
	}
	return strings.Join(out, " and ")
}

// A note tells how markers differ from the function, for the samples that it covers. Its text is empty if no cluster has
// such objects.
type note struct {
	text   string
	covers func(s *sample, got []string) bool
}

// notes returns the differences that markers may have.
func (l *learner) notes(markers []*marker) (out []note) {
	add := func(text string, covers func(s *sample, got []string) bool) {
		if !slices.ContainsFunc(out, func(n note) bool { return n.text == text }) {
			out = append(out, note{text, covers})
		}
	}
	nameless, refer := "objects are expected to have a namespace", slices.ContainsFunc(markers, (*marker).ref)
	if refer {
		nameless = "" // as all objects that refer to others
	}
	add(nameless, func(s *sample, got []string) bool {
		return s.root[ownNamespace].state == "=" || refer && slices.ContainsFunc(slices.Concat(s.keys, got), slashed)
	})
	for _, m := range markers {
		differ := func(s *sample, got []string) bool {
			named := func(keys []string) []string { return slices.DeleteFunc(slices.Clone(keys), unnamed) }
			return slices.ContainsFunc(slices.Concat(s.keys, got), unnamed) && slices.Equal(named(s.keys), named(got))
		}
		if m.ref() {
			add("references with an empty name are not indexed", differ)
		} else if len(m.places) == 1 && strings.Contains(m.places[0], "['") {
			add(fmt.Sprintf("objects without %s are not indexed", m.path(m.places[0])), differ)
		}
	}
	for _, m := range markers {
		paths := []string{m.otherwise, m.namespace}
		if m.otherwise != "" {
			paths = append(paths, m.places[0])
		}
		paths = slices.AppendSeq(paths, maps.Keys(m.targets))
		for _, c := range slices.DeleteFunc(slices.Clone(m.conds), m.omits) {
			paths = append(paths, c.path)
			if list := strings.TrimSuffix(c.elem, each); c.elem != "" && c.equals && !c.not && l.takesFirst(m) {
				text := "of several elements of %s with one %s, the function takes the first"
				add(fmt.Sprintf(text, m.path(list), strings.TrimPrefix(c.rest, ".")), func(s *sample, _ []string) bool {
					seen := map[string]bool{}
					return slices.ContainsFunc(s.root.all(c.path), func(n node) bool {
						again := seen[n.state]
						seen[n.state] = n.state != ""
						return again
					})
				})
			}
		}
		for _, p := range slices.Sorted(slices.Values(paths)) {
			if i, ok := l.index[p]; ok && l.spots[i].class == text {
				keyed := m.otherwise != "" && (p == m.otherwise || p == m.places[0]) // the function returns the empty text
				add(fmt.Sprintf("an empty %s counts as absent", p), func(s *sample, _ []string) bool {
					return (!keyed || slices.ContainsFunc(s.keys, unnamed)) && slices.ContainsFunc(s.root.all(p), func(n node) bool { return n.state == "=" })
				})
			}
		}
	}
	return out
}

// takesFirst reports whether the function has the first key of a marker more often than its last, or as often.
func (l *learner) takesFirst(m *marker) bool {
	first := 0
	for _, s := range l.others {
		if made := m.keys(s).keys; len(made) > 1 {
			hasFirst, hasLast := slices.Contains(s.keys, made[0]), slices.Contains(s.keys, made[len(made)-1])
			if hasFirst && !hasLast {
				first++
			} else if hasLast && !hasFirst {
				first--
			}
		}
	}
	return first >= 0
}

// slashed reports whether a key of a reference has a name with a slash, which no object has.
func slashed(key string) bool { return strings.Count(key, "/") > 1 }

// rows returns objects for a test: for each template one with its keys, those that differ from it in one field, and
// some with lists of several elements.
func (l *learner) rows(markers []*marker) (out []Row) {
	seen := map[string]bool{}
	add := func(s *sample) {
		text, err := json.Marshal(s.obj.Addr().Interface())
		right := slices.Equal(s.keys, keysOf(markers, s)) && !(markers[0].ref() && slices.ContainsFunc(s.keys, slashed))
		if right && err == nil && s.panicked == "" && !seen[string(text)] {
			seen[string(text)] = true
			out = append(out, Row{text, s.keys})
		}
	}
	for n, t := range l.found {
		for i, s := range l.spots {
			for state := 0; t.asked[i] && state < min(len(s.states), 5) && len(out) < 40*(n+1)/len(l.found); state++ {
				add(l.changed(t.example(), i, s.states[state]))
			}
		}
	}
	for i, n := 0, len(out)+12; i < len(l.others) && len(out) < n; i++ {
		if s := l.others[i]; len(s.keys) > 1 || i%100 == 0 {
			add(s)
		}
	}
	return out
}

// shortest returns the sample with the shortest text.
func shortest(samples []*sample) (out *sample, text string) {
	for _, s := range samples[:min(len(samples), 400)] {
		if short := shown(s.obj); out == nil || len(short) < len(text) {
			out, text = s, short
		}
	}
	return out, text
}

// empty matches what is empty in the JSON of an object.
var empty = regexp.MustCompile(`"[^"]*":(null|""|0|false|\{\}|\[\]),?`)

// shown returns an object as JSON without what is empty.
func shown(obj reflect.Value) string {
	text, err := json.Marshal(obj.Addr().Interface())
	if err != nil {
		return fmt.Sprintf("%+v", obj.Interface())
	}
	for before := ""; before != string(text); {
		before = string(text)
		text = []byte(strings.ReplaceAll(empty.ReplaceAllString(before, ""), ",}", "}"))
	}
	return string(text)
}
