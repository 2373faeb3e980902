// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package intern

import "reflect"

const (
	// minValue and MaxValue are the lengths of the shortest and the longest text whose value is cached. A
	// lookup costs as much as decoding a few fields.
	minValue = 8
	MaxValue = 8 << 10
	// entryBytes is the memory of an entry without its text and value.
	entryBytes = 176
)

// memo caches values by the place and the text that they were decoded from. It has two generations: when
// the young one is full it replaces the old one. A hit in the old generation moves to the young one.
type memo struct {
	young, old map[origin]memoized
	bytes      int // of the young
	limit      int // of one generation
}

type origin struct {
	place int
	text  string
}

type memoized struct {
	value reflect.Value
	bytes int // that it takes
}

// put caches the value of text, which takes bytes of memory, unless it is larger than a generation.
func (m *memo) put(place int, text []byte, value reflect.Value, bytes int) {
	size := len(text) + bytes + entryBytes
	if size > m.limit {
		return
	}
	if m.bytes+size > m.limit {
		m.old, m.young, m.bytes = m.young, nil, 0
	}
	if m.young == nil {
		m.young = map[origin]memoized{}
	}
	m.young[origin{place, string(text)}] = memoized{value, bytes}
	m.bytes += size
}
