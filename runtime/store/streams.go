// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"errors"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/owners"
)

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

var (
	// ErrStreamLeft is what WaitForStream returns when the stream ends: its source was
	// removed.
	ErrStreamLeft = errors.New("the source was removed")
	// ErrWhichStream is what WaitFor returns for a store that is fed by several
	// sources of which nobody has said (Feeder.Join) that their versions have one order.
	ErrWhichStream = errors.New("the store is fed by several sources: " +
		"name one by WaitForStream, or wait by the informer")
)

// followed is how far the store has followed one of several sources.
type followed struct {
	name            string
	resourceVersion string
	epoch           uint64 // how often the source has gone backward
	life            uint64 // tells it from others of that name; 0: there is none
	joined          bool   // it is one of those that Join has named
}

// ResourceVersionOf returns the version of stream that the store reflects, for a
// store that is fed by several (see [Batch.From]); "" if it is not known.
func (r Reader[K, T]) ResourceVersionOf(stream string) (resourceVersion string) {
	r.read(func(v *version[K, T]) { resourceVersion = v.position(stream).resourceVersion })
	return resourceVersion
}

// WaitForStream is WaitFor for one of several streams. It fails with ErrStreamLeft if
// the stream ends meanwhile; one that has yet to begin is waited for.
func (r Reader[K, T]) WaitForStream(ctx context.Context, stream, resourceVersion string) error {
	return r.waitFor(ctx, resourceVersion, func(v *version[K, T], _ Mark) (place, error) {
		return v.placeOf(stream), nil
	})
}

// position returns how far a stream has been followed.
func (v *version[K, T]) position(name string) followed {
	if name == "" {
		return followed{resourceVersion: v.resourceVersion, epoch: v.epoch, life: 1 + v.left, joined: v.unnamed}
	}
	for i := range v.streams {
		if st := &v.streams[i]; st.name == name && st.life > 0 {
			return *st
		}
	}
	return followed{}
}

// reach notes how far the source of b has been followed.
func (v *version[K, T]) reach(b *Batch[K, T]) {
	version, epoch := &v.resourceVersion, &v.epoch
	v.entered = v.entered || b.streamed && b.id == 0
	if b.streamed && b.id > 0 {
		st := v.ownStream(b)
		version, epoch = &st.resourceVersion, &st.epoch
	}
	if b.hasResourceVersion {
		*version = b.resourceVersion
	}
	if b.rewind {
		*epoch++
		if v.isJoined(b) {
			v.joinedEpoch++
		}
	}
}

// ownsStream reports whether reach has nothing to copy.
func (v *version[K, T]) ownsStream(b *Batch[K, T]) bool {
	return !b.streamed || b.id == 0 || v.streamsOf == v.owner && int(b.id) <= len(v.streams)
}

// ownStream returns the state of the stream of b, to be changed.
func (v *version[K, T]) ownStream(b *Batch[K, T]) *followed {
	if v.streamsOf != v.owner {
		v.streams, v.streamsOf = slices.Clone(v.streams), v.owner
	}
	for int(b.id) > len(v.streams) {
		v.streams = append(v.streams, followed{})
	}
	st := &v.streams[b.id-1]
	if st.life == 0 {
		*st = followed{name: b.stream, life: b.life}
	}
	return st
}

// forget forgets a stream. v must be a branch.
func (v *version[K, T]) forget(id uint32) {
	if id == 0 {
		v.resourceVersion, v.unnamed, v.entered = "", false, false
		v.left++
		return
	}
	if int(id) <= len(v.streams) {
		v.streams, v.streamsOf = slices.Clone(v.streams), v.owner
		v.streams[id-1] = followed{}
	}
}
