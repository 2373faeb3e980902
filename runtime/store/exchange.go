// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "github.com/indexer-gen/indexer-gen/runtime/store/internal/inplace"

// heldIn returns the object in a slot of v as the batch has left it so far.
func (s *Store[K, T]) heldIn(v *version[K, T], slot uint32) T {
	if x := s.exchanges.Find(slot); x != nil {
		return x.Obj
	}
	return v.slots.At(slot)
}

// exchange has the staged object put in place when v is published, if it replaces one,
// no reader has taken the chunk, and there are not too many. A Replace has no use for
// that: it fills the chunks that it copies.
func (s *Store[K, T]) exchange(v *version[K, T], st *staged[K, T]) bool {
	e := &s.exchanges
	if !st.had || v == s.current || s.replacing {
		return false
	}
	if x := e.Find(st.slot); x != nil {
		x.Key, x.Obj = st.key, st.obj
		return true
	}
	if e.Len() >= inplace.Max || s.shared.Load() {
		return false
	}
	if made := v.slots.ChunkOf(st.slot).Owner; made <= s.frozen || made == v.owner {
		return false
	}
	e.Add(st.slot, st.key, st.obj)
	return true
}

// giveUp sets each in v as any other object, in a copy of its chunk: a reader has taken
// the chunks.
func (s *Store[K, T]) giveUp(v *version[K, T]) {
	s.exchanges.Each(func(slot uint32, key K, obj T) {
		v.slots.Set(v.owner, s.above(v), slot, obj, key, !s.derive)
	})
	s.exchanges.Reset()
}
