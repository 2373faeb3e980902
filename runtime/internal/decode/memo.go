// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

const (
	// maxMemoized is the length of the longest text whose value is cached.
	maxMemoized = 8 << 10
	// memoBytes limits the memory of one generation of a memo. A value counts with its text twice, for
	// the key and within the value, its other memory, and entryBytes.
	memoBytes  = 1 << 20
	entryBytes = 160
)

// memo caches values by the text that they were decoded from, so that equal text shares one value. It
// has two generations: when the young one is full it replaces the old one. A hit in the old generation
// moves to the young one.
type memo[V any] struct {
	site
	young, old map[string]memoized[V]
	bytes      int // of the young
}

type memoized[V any] struct {
	value V
	bytes int // that it takes beside its text
}

// get returns the value of text. keep is set if there is none and the caller should call put.
func (m *memo[V]) get(text []byte) (value V, ok, keep bool) {
	if len(text) > maxMemoized || !m.worth() {
		return value, false, false
	}
	found, ok := m.young[string(text)]
	if !ok {
		if found, ok = m.old[string(text)]; ok {
			m.put(text, found.value, found.bytes)
		}
	}
	m.note(ok)
	return found.value, ok, !ok
}

// put caches the value of text, which takes bytes of memory besides its text.
func (m *memo[V]) put(text []byte, value V, bytes int) {
	size := 2*len(text) + bytes + entryBytes
	if m.bytes+size > memoBytes {
		m.old, m.young, m.bytes = m.young, nil, 0
	}
	if m.young == nil {
		m.young = map[string]memoized[V]{}
	}
	m.young[string(text)] = memoized[V]{value, bytes}
	m.bytes += size
}
