// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"errors"
	"iter"
	"slices"
)

var (
	// ErrStreamLeft is what WaitForStream returns when the stream ends: its source was
	// removed.
	ErrStreamLeft = errors.New("the source was removed")
	// ErrWhichStream is what WaitFor returns for a store that is fed by several
	// sources of which nobody has said (Feeder.Join) that their versions have one order.
	ErrWhichStream = errors.New("the store is fed by several sources: name one by WaitForStream, or wait by the informer")
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
func (r Reader[K, T]) ResourceVersionOf(stream string) (rv string) {
	r.readStreams(func(v *version[K, T]) { rv = v.position(stream).resourceVersion })
	return rv
}

// fewStreams is of how many streams a live read asks while a write may wait for it.
const fewStreams = 16

// readStreams is read for an f that takes time for each stream: of many it is asked of a
// version that the next write leaves alone.
func (r Reader[K, T]) readStreams(f func(*version[K, T])) {
	if r.at != nil || r.s == nil {
		f(r.frozen())
		return
	}
	r.s.publish.RLock()
	v := r.s.current
	if len(v.streams) <= fewStreams {
		defer r.s.publish.RUnlock()
	} else {
		r.s.share()
		r.s.publish.RUnlock()
	}
	f(v)
}

// Streams yields the named streams that the store is fed by, in no order, and the
// version of each that it reflects.
func (r Reader[K, T]) Streams() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, st := range r.frozen().streams {
			if st.life > 0 && !yield(st.name, st.resourceVersion) {
				return
			}
		}
	}
}

// WaitForStream is WaitFor for one of several streams. It fails with ErrStreamLeft if
// the stream ends meanwhile; one that has yet to begin is waited for.
func (r Reader[K, T]) WaitForStream(ctx context.Context, stream, resourceVersion string) error {
	return r.waitFor(ctx, resourceVersion, func(v *version[K, T], _ Mark) (place, error) { return v.placeOf(stream), nil })
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
