// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package intern

import "hash/maphash"

const (
	// maxInterned is the length of the longest string that is cached.
	maxInterned = 128
	// ways is the number of cached strings per hash.
	ways = 4
	// A table starts with firstSets sets and grows to mostSets, which have 8,192 strings of at most 1
	// MiB in all.
	firstSets = 32
	mostSets  = 2048
)

// table caches strings. It evicts strings that do not repeat.
type table struct {
	seed    maphash.Seed
	sets    [][ways]string
	evicted int // since it last grew
	most    int // sets
}

// get returns a string with the content of text, and whether it was cached.
func (t *table) get(text []byte) (string, bool) {
	if t.sets == nil {
		t.seed = maphash.MakeSeed()
		t.sets = make([][ways]string, firstSets)
	}
	set := t.set(maphash.Bytes(t.seed, text))
	for i := range set {
		if set[i] == string(text) {
			found := set[i]
			if i > 0 { // frequent strings move away from the place of eviction
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

// put adds a string to its set, and reports whether the table should grow.
func (t *table) put(set *[ways]string, s string) (full bool) {
	for i := range set {
		if set[i] == "" {
			set[i] = s
			return false
		}
	}
	set[ways-1] = s
	t.evicted++
	return t.evicted > len(t.sets)*ways && 2*len(t.sets) <= t.most
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

// String returns text as a string. It returns a cached string if the strings of the site repeat.
func (c *Cache) String(id int, text []byte) string {
	if len(text) <= 1 || len(text) > maxInterned {
		return string(text)
	}
	s := c.sites.At(id)
	if !s.Worth() {
		return string(text)
	}
	found, hit := c.strings.get(text)
	s.Note(hit)
	return found
}
