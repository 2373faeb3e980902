// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A difference tells how keys of markers differ from those of the function.
type difference struct {
	causes  map[cause]*sample // with the shortest sample that differs for this cause
	unnoted []*sample         // which differ for another cause
	panics  []*sample
	missing *marker // no sample is indexed by it
}

// A cause is a path whose texts are unusual in some objects. Function and markers may differ for these.
type cause struct {
	path string
	kind kind
}

type kind string

const (
	unkeyed kind = "if %s is empty or absent" // and the function returns that as a key
	emptied kind = "if %s is empty"
	alike   kind = "if several elements have one %s"
	slashed kind = "" // for names of other objects: no cluster has such
)

// odd reports whether a state is what the cause is about. seen has the paths and states of elements before.
func (c cause) odd(state string, seen map[string]bool) bool {
	switch c.kind {
	case alike:
		return state != stateAbsent && seen[c.path+state]
	case slashed:
		return strings.Contains(state, "/")
	}
	return state == stateEmpty || state == stateAbsent && c.kind == unkeyed
}

// causes returns the differences that markers may have.
func (l *learner) causes(markers []*marker) (out []cause) {
	add := func(k kind, paths ...string) {
		for _, p := range paths {
			c, s := cause{p, k}, l.index[p]
			if s != nil && (s.class == text || k == alike) && !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	for _, m := range markers {
		add(unkeyed, append(m.places, m.otherwise)...)
		add(emptied, append(slices.Sorted(maps.Keys(m.targets)), m.namespace, ownNamespace)...)
		for _, c := range m.conds {
			if c.spot.own && c.spot.path != m.otherwise && !slices.Contains(m.places, c.spot.path) {
				add(emptied, c.spot.path)
			}
			if c.elem != "" && c.equals && !c.not {
				add(alike, c.spot.path)
			}
		}
		if m.ref() {
			add(slashed, m.places[0])
		}
	}
	return out
}

// usual returns a sample with other texts in place of odd ones.
func (l *learner) usual(s *sample, causes []cause) *sample {
	id := fmt.Sprint(causes)
	if s.usual == nil {
		s.usual = map[string]*sample{}
	}
	if s.usual[id] == nil {
		chosen, seen := map[string][]string{}, map[string]bool{}
		for _, c := range s.chosen {
			chosen[c[0]] = append(chosen[c[0]], c[1])
		}
		s.usual[id] = l.run(func(sp *spot) (state string) {
			left := chosen[sp.path]
			if len(left) > 0 {
				state, chosen[sp.path] = left[0], left[1:]
			}
			for _, c := range causes {
				if c.path == sp.path && c.odd(state, seen) {
					return map[class]string{text: fmt.Sprintf("=x%d", len(left))}[sp.class] // or absent, false, or 0
				} else if state == stateEmpty && strings.HasPrefix(c.path, sp.path+"['") || state == stateAbsent && above(sp.path, c.path) && c.kind == unkeyed {
					return statePresent // what the value is in
				}
			}
			seen[sp.path+state] = true
			return state
		}, s.all)
	}
	return s.usual[id]
}

// why returns the causes without which markers and the function return the same for a sample, or nil.
func (l *learner) why(markers []*marker, s *sample, causes []cause) []cause {
	same := func(causes []cause) bool {
		u := l.usual(s, causes)
		return u.panicked == "" && slices.Equal(keysOf(markers, u), u.keys)
	}
	keyed := slices.ContainsFunc(s.keys, unnamed)
	causes = slices.DeleteFunc(slices.Clone(causes), func(c cause) bool {
		return c.kind == unkeyed && !keyed || string(l.usual(s, []cause{c}).text) == string(s.text)
	})
	if !same(causes) {
		return nil
	}
	for _, c := range causes {
		if rest := slices.DeleteFunc(slices.Clone(causes), func(o cause) bool { return o == c }); same(rest) {
			causes = rest
		}
	}
	return causes
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
func (l *learner) compare(markers []*marker, most int) difference {
	out := difference{causes: map[cause]*sample{}}
	causes := l.causes(markers)
	keyed, defaulted := map[*marker]bool{}, map[*marker]bool{}
	for _, s := range slices.Concat(l.others, l.tried, l.samples) {
		if slices.Equal(keysOf(markers, s), s.keys) {
			for _, m := range markers {
				made := m.keys(s)
				keyed[m] = keyed[m] || len(made.keys) > 0 && !made.defaulted
				defaulted[m] = defaulted[m] || made.defaulted || m.otherwise == ""
			}
			continue
		} else if s.panicked != "" {
			out.panics = append(out.panics, s)
			continue
		}
		why := l.why(markers, s, causes)
		for _, c := range why {
			if known := out.causes[c]; known == nil || len(s.text) < len(known.text) {
				out.causes[c] = s
			}
		}
		if len(why) > 0 {
			continue
		} else if out.unnoted = append(out.unnoted, s); len(out.unnoted) > most {
			return out
		}
	}
	for _, m := range markers {
		if !keyed[m] || !defaulted[m] {
			out.missing = m
		}
	}
	return out
}

// smallest rewrites markers as long as they become shorter and no worse.
func (l *learner) smallest(markers []*marker) ([]*marker, difference) {
	now := l.compare(markers, math.MaxInt)
	for again := true; again; {
		again = false
		rewrites(markers, func(list []*marker, noted bool) bool {
			if len(described(list)) >= len(described(markers)) {
				return false
			}
			next := l.compare(list, len(now.unnoted))
			again = len(next.unnoted) <= len(now.unnoted) && next.missing == nil && (noted || len(next.causes) <= len(now.causes))
			if again {
				markers, now = list, next
			}
			return again
		})
	}
	return markers, now
}

// verdict returns notes that tell how markers differ, or why they do not replace the function.
func (d difference) verdict(markers []*marker) (notes []string, why string) {
	both := func(s *sample, ours string) string {
		theirs := fmt.Sprintf("returns %q", s.keys)
		if s.panicked != "" {
			theirs = "panics: " + s.panicked
		}
		return fmt.Sprintf("for %s the function %s, and %s %q", s.text, theirs, ours, keysOf(markers, s))
	}
	refer := slices.ContainsFunc(markers, (*marker).ref)
	for c, s := range d.causes {
		if c.kind != slashed && !(refer && c.path == ownNamespace) {
			notes = append(notes, fmt.Sprintf(string(c.kind), c.path)+": "+both(s, "the index"))
		}
	}
	slices.Sort(notes)
	if len(d.panics) > 0 {
		notes = append(notes, both(shortest(d.panics), "the index"))
	}
	if len(d.unnoted) > 0 {
		why = both(shortest(d.unnoted), described(markers))
	} else if d.missing != nil {
		why = "no random object that was tried is indexed by " + d.missing.Text()
	}
	return notes, why
}

func shortest(samples []*sample) *sample {
	return slices.MinFunc(samples, func(a, b *sample) int { return len(a.text) - len(b.text) })
}

func described(markers []*marker) string {
	var out []string
	for _, m := range markers {
		out = append(out, strings.Replace(m.Text(), "name=NAME,", "", 1))
	}
	return strings.Join(out, " and ")
}

// rows returns objects for a test: those that resemble the example of a template but for one field of a marker, and random
// ones.
func (l *learner) rows(markers []*marker) (out []Row) {
	seen := map[string]bool{}
	add := func(s *sample) {
		same := len(markers) == 0 || slices.Equal(s.keys, keysOf(markers, s))
		if text := string(s.text); same && s.panicked == "" && !seen[text] {
			seen[text] = true
			out = append(out, Row{s.text, s.keys})
		}
	}
	for n, t := range l.found {
		for _, m := range markers {
			for _, p := range m.paths() {
				for _, state := range l.at(p).states[:min(len(l.at(p).states), 5)] {
					if len(out) < 40*(n+1)/len(l.found) {
						add(l.changed(t.example(), l.at(p).id, state))
					}
				}
			}
		}
	}
	for i, n := 0, len(out)+12; i < len(l.others) && len(out) < n; i++ {
		if s := l.others[i]; !s.all && (len(s.keys) > 1 || i%99 == 0) {
			add(s)
		}
	}
	return out
}
