// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

const (
	// maxMemoized is the length of text up to which a value is remembered.
	maxMemoized = 8 << 10
	// memoBytes is how much a generation of a memo may hold, counting valueBytes
	// for each value beside its text.
	memoBytes  = 1 << 20
	valueBytes = 400
)

// memo remembers values by the text that they were decoded from, so that equal
// text shares one value. It has two generations: when the young one is full, it
// becomes the old one, which is forgotten but for what is asked for again.
type memo[V any] struct {
	site
	young, old map[string]V
	bytes      int
}

// get returns the value of text. If there is none but it is worth to remember
// one, keep is true, and put is to be called.
func (m *memo[V]) get(text []byte) (value V, ok, keep bool) {
	if len(text) > maxMemoized || !m.worth() {
		return value, false, false
	}
	value, ok = m.young[string(text)]
	if !ok {
		if value, ok = m.old[string(text)]; ok {
			m.put(text, value)
		}
	}
	m.note(ok)
	return value, ok, !ok
}

func (m *memo[V]) put(text []byte, value V) {
	if m.bytes > memoBytes {
		m.old, m.young, m.bytes = m.young, nil, 0
	}
	if m.young == nil {
		m.young = map[string]V{}
	}
	m.young[string(text)] = value
	m.bytes += len(text) + valueBytes
}
