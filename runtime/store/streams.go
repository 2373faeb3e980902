// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"errors"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/owners"
)

// From declares that the batch comes from stream, one of several sources of the store. Each
// source knows some of the objects; "" is a valid stream. Replace and Delete then remove only
// objects that no other stream has, and the resourceVersion is that of the stream; see
// [Reader.ResourceVersionOf].
//
// An object of several streams is stored once. older reports whether a is known to be an
// older state of an object than b. A Set does not replace a newer object by an older one,
// unless the batch rewinds; so a slow stream does not undo what a fast one has stored. A nil
// older never holds back a Set. older runs while other writers wait, and must not panic.
func (b *Batch[K, T]) From(stream string, older func(a, b T) bool) {
	b.streamed, b.stream, b.older = true, stream, older
}

// Leave ends the batch's stream. Objects that no other stream has are deleted, and the
// resourceVersion of the stream is dropped. Leave must be the only write of its batch.
func (b *Batch[K, T]) Leave() { b.Replace(nil); b.leave = true }

// streams has the streams of a store and the owners of each object. A store whose batches do
// not use From has none. It is guarded by Store.write.
type streams struct {
	owners.Owners                   // stream 0 also owns objects written without From
	ids           map[string]uint32 // of named streams; the unnamed stream has 0
	spent         []uint32          // ids to be reused
	lives         uint64            // the number of streams so far
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

// admit updates the owners of the staged object and reports whether the write goes ahead.
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

// put commits a staged write if admit accepts it.
func (s *Store[K, T]) put(v *version[K, T], st *staged[K, T], b *Batch[K, T]) {
	if s.admit(st, b) {
		s.commit(v, st, b)
	}
}

// left ends the stream of b, which has no objects left.
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
	// ErrStreamLeft is returned by WaitForStream if the stream ends because its source was
	// removed.
	ErrStreamLeft = errors.New("the source was removed")
	// ErrWhichStream is returned by WaitFor if the store has several sources that are not
	// joined by Feeder.Join, so that a version may belong to any of them.
	ErrWhichStream = errors.New("the store has several sources: " +
		"name one with WaitForStream, or wait with the informer")
)

// followed is the position of the store in one stream.
type followed struct {
	name            string
	resourceVersion string
	epoch           uint64 // how often the source has gone backward
	life            uint64 // distinguishes streams of one name; 0: no such stream
	joined          bool   // by Feeder.Join
}

// ResourceVersionOf returns the resourceVersion of stream that the store reflects, or "" if it is
// not known; see [Batch.From].
func (r Reader[K, T]) ResourceVersionOf(stream string) string {
	return r.version().position(stream).resourceVersion
}

// WaitForStream is WaitFor for one of several streams. It also waits for the stream to begin,
// and returns ErrStreamLeft if the stream ends meanwhile.
func (r Reader[K, T]) WaitForStream(ctx context.Context, stream, resourceVersion string) error {
	return r.waitFor(ctx, resourceVersion, func(v *version[K, T], _ Mark) (place, error) {
		return v.placeOf(stream), nil
	})
}

// position returns the position in a stream.
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

// reach updates the position in the stream of b.
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

// ownStream returns the state of b's stream, for v to change.
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

// forget drops the position in a stream. v must be a branch.
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
