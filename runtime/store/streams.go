// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "github.com/indexer-gen/indexer-gen/runtime/store/internal/owners"

// From says that the batch comes from stream, one of several sources that the store
// is fed by, each of which knows a part of what exists; "" is a stream too. Then a
// Replace deletes only what no other stream has, a Delete as well, and the
// resourceVersion is that of the stream, as [Reader.ResourceVersionOf] tells it.
//
// What several streams have is stored once. older says whether of two states of such
// an object the first is known to come before the second: then it is not stored over
// it, unless the batch rewinds. So the slower of two streams does not take back what
// the faster has told. older is asked while other writers wait, as index functions
// are, and must not panic.
func (b *Batch[K, T]) From(stream string, older func(a, b T) bool) {
	b.streamed, b.stream, b.older = true, stream, older
}

// Leave has the batch end the stream that it is from: what no other stream has is
// deleted, and its resourceVersion is forgotten. It must be the only write of its
// batch.
func (b *Batch[K, T]) Leave() { b.Replace(nil); b.leave = true }

// streams are the streams that feed a store by From, and which of them have which object.
// A store that is fed by one source has none. It is guarded by Store.write.
type streams struct {
	owners.Owners                   // stream 0 also owns what no stream has set
	ids           map[string]uint32 // of streams that have a name; 0 is the one without
	spent         []uint32          // ids that can be given again
	lives         uint64            // how many streams there have been
}

// enter sets b.id and b.life. The caller holds write.
func (s *Store[K, T]) enter(b *Batch[K, T]) {
	if !b.streamed {
		return
	}
	if s.streams == nil {
		s.streams = &streams{ids: map[string]uint32{"": 0}}
	}
	o := s.streams
	id, ok := o.ids[b.stream]
	if !ok {
		id = uint32(len(o.ids) + len(o.spent))
		if n := len(o.spent); n > 0 {
			id = o.spent[n-1]
			o.spent = o.spent[:n-1]
		}
		o.ids[b.stream] = id
		o.lives++
	}
	b.id, b.life = id, o.lives
}

// admit notes what a staged write says about whose the object is, and reports whether
// it is to be done.
func (s *Store[K, T]) admit(st *staged[K, T], b *Batch[K, T]) bool {
	if !b.streamed {
		return true
	}
	switch {
	case st.kind == opSet && !st.had:
		s.streams.Set(st.slot, b.id)
		return true
	case st.kind == opDelete:
		return st.had && !s.streams.Remove(st.slot, b.id)
	case !st.had:
		return false
	}
	shared := s.streams.Add(st.slot, b.id)
	return st.kind == opKeep || !shared || b.rewind || b.older == nil || !b.older(st.obj, st.old)
}

// put stages a write and does it, if it is to be done.
func (s *Store[K, T]) put(v *version[K, T], st *staged[K, T], b *Batch[K, T]) {
	if s.admit(st, b) {
		s.commit(v, st, b)
	}
}

// left ends the stream of b, which has no objects any more.
func (s *Store[K, T]) left(v *version[K, T], b *Batch[K, T]) {
	v.forget(b.id)
	o := s.streams
	if b.id == 0 {
		return
	}
	delete(o.ids, b.stream)
	o.spent = append(o.spent, b.id)
}
