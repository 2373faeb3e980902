// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import "hash/maphash"

const (
	// maxInterned is the length up to which strings are kept for reuse.
	maxInterned = 128
	// ways is how many strings with one hash are kept.
	ways = 4
	// A table begins with firstSets and never has more than mostSets times ways
	// strings: 8,192, of at most 1 MiB.
	firstSets = 64
	mostSets  = 2048
)

// table holds strings that may come again. It forgets those that do not.
type table struct {
	seed    maphash.Seed
	sets    [][ways]string
	evicted int // since it last grew
}

// get returns a string that reads as text, and whether it was there before.
func (t *table) get(text []byte) (string, bool) {
	if t.sets == nil {
		t.seed = maphash.MakeSeed()
		t.sets = make([][ways]string, firstSets)
	}
	set := t.set(maphash.Bytes(t.seed, text))
	for i := range set {
		if set[i] == string(text) {
			found := set[i]
			if i > 0 { // what comes often moves away from where strings are replaced
				set[i], set[i-1] = set[i-1], set[i]
			}
			return found, true
		}
	}
	made := string(text)
	if t.put(set, made) {
		t.grow()
	}
	return made, false
}

func (t *table) set(hash uint64) *[ways]string {
	return &t.sets[hash%uint64(len(t.sets))]
}

// put puts a string into its set, and tells whether it is time for a larger table.
func (t *table) put(set *[ways]string, s string) (full bool) {
	for i := range set {
		if set[i] == "" {
			set[i] = s
			return false
		}
	}
	set[ways-1] = s
	t.evicted++
	return t.evicted > len(t.sets)*ways && len(t.sets) < mostSets
}

func (t *table) grow() {
	old := t.sets
	t.sets = make([][ways]string, 2*len(old))
	t.evicted = 0
	for i := range old {
		for _, s := range old[i] {
			if s != "" {
				t.put(t.set(maphash.String(t.seed, s)), s)
			}
		}
	}
}

// A site is a place in a type where strings come from. It learns whether they
// repeat: labels do, names do not.
type site struct {
	tries, hits uint16
	idle        uint16 // how many more strings to let pass
}

const (
	// sampleSize is how many looks make a judgment. If fewer than a quarter of them
	// found something, the next restSize are spared: a look for a string costs half
	// of what a new one does.
	sampleSize = 1024
	restSize   = 8192
)

// worth reports whether to look up the next string.
func (s *site) worth() bool {
	if s.idle > 0 {
		s.idle--
		return false
	}
	return true
}

// note notes what became of a look.
func (s *site) note(hit bool) {
	s.tries++
	if hit {
		s.hits++
	}
	if s.tries == sampleSize {
		if s.hits < sampleSize/4 {
			s.idle = restSize
		}
		s.tries, s.hits = 0, 0
	}
}

// intern returns text as a string, one that is in use already if text has come
// up at sites where that is worth the look.
func (d *Decoder) intern(id int, text []byte) string {
	if len(text) <= 1 || len(text) > maxInterned {
		return string(text)
	}
	s := d.sites.at(id)
	if !s.worth() {
		return string(text)
	}
	found, hit := d.strings.get(text)
	s.note(hit)
	return found
}
