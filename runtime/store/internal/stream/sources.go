// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package stream

// Sources numbers the sources of a store and tracks which of them have the object in a slot. The
// source "" has number 0, and owns the objects that are written without a source.
type Sources struct {
	Owners
	ids   map[string]uint32
	spent []uint32 // numbers to be reused
}

// ID returns the number of a source.
func (s *Sources) ID(source string) uint32 {
	if s.ids == nil {
		s.ids = map[string]uint32{"": 0}
	}
	id, ok := s.ids[source]
	if ok {
		return id
	}
	if n := len(s.spent); n > 0 {
		id, s.spent = s.spent[n-1], s.spent[:n-1]
	} else {
		id = uint32(len(s.ids)) //nolint:gosec // sources fit
	}
	s.ids[source] = id
	return id
}

// End frees the number of a source that owns no slot. Number 0 stays that of "".
func (s *Sources) End(source string) {
	if source != "" {
		s.spent = append(s.spent, s.ids[source])
		delete(s.ids, source)
	}
}
