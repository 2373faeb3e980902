// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import "reflect"

// entriesInto sets the map to. While the entries are those of the held map, it makes no map and only
// lists their keys.
type entriesInto struct {
	to, held reflect.Value // held is invalid if there is none
	n        int           // of the entries
	keys     reflect.Value // a slice
	lazy     bool          // to is not made yet
	last     string        // the last key, if lazy
}

// begin decides whether a map is needed. Lazily, keys must ascend, as generated code writes them, so that
// none comes twice.
func (m *entriesInto) begin() {
	m.lazy = m.held.IsValid() && m.to.IsNil() && m.to.Type().Key().Kind() == reflect.String
	if m.lazy {
		m.keys.Grow(m.n)
	} else if m.to.IsNil() {
		m.to.Set(reflect.MakeMapWithSize(m.to.Type(), m.n))
	}
}

// find sets value to the held one of key.
func (m *entriesInto) find(key, value reflect.Value) bool {
	if !m.held.IsValid() {
		return false
	}
	found := m.held.MapIndex(key)
	if found.IsValid() {
		value.Set(found)
	}
	return found.IsValid()
}

// add adds an entry. same says that the held map has it.
func (m *entriesInto) add(key, value reflect.Value, same bool) {
	if m.lazy && same && (m.keys.Len() == 0 || m.last < key.String()) {
		m.last = key.String()
		m.keys.SetLen(m.keys.Len() + 1)
		m.keys.Index(m.keys.Len() - 1).Set(key)
		return
	}
	m.build()
	m.to.SetMapIndex(key, value)
}

// build makes the map with the entries so far.
func (m *entriesInto) build() {
	if !m.lazy {
		return
	}
	m.lazy = false
	m.to.Set(reflect.MakeMapWithSize(m.to.Type(), m.n))
	for i := range m.keys.Len() {
		m.to.SetMapIndex(m.keys.Index(i), m.held.MapIndex(m.keys.Index(i)))
	}
}

// end sets the held map if it has the same entries and no other ones.
func (m *entriesInto) end() {
	if m.lazy && m.keys.Len() == m.held.Len() {
		m.to.Set(m.held)
		return
	}
	m.build()
}
