// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
)

// Join says that streams feed the store (see [Batch.From]), or are about to, that are of
// one server, as those of several namespaces are: a resourceVersion means the same to each
// of them, and is reached when the last of them has. So it is for those that have been
// joined before and have not left; without any, all are joined that there are: none.
//
// To join a stream before any other of them begins is for whoever waits: what is in a
// stream that the store has not heard of would be missed.
func (f *Feeder[K, T]) Join(streams ...string) {
	s := f.s
	s.lockToWrite()
	v := s.branch()
	v.joins = true
	for _, name := range streams {
		var b Batch[K, T]
		b.From(name, nil)
		s.enter(&b)
		if b.id == 0 {
			v.unnamed = true
		} else {
			v.ownStream(&b).joined = true
		}
	}
	s.swap(v)
	s.writing = false
	s.write.Unlock()
	s.changed.Wake()
}

// WaitForJoined is WaitFor for the streams that have been joined by [Feeder.Join], though
// others may feed the store as well. Which they are is asked anew after each write: a
// stream that leaves is waited for no longer, and one that is joined is, too.
func (r Reader[K, T]) WaitForJoined(ctx context.Context, resourceVersion string) error {
	return r.waitFor(ctx, resourceVersion, func(v *version[K, T], _ Mark) (place, error) { return v.placeOfJoined(), nil })
}

// placeOf is the place of one stream.
func (v *version[K, T]) placeOf(stream string) place {
	at := v.position(stream)
	m := Mark{stream: stream, named: true, epoch: at.epoch, life: at.life}
	return place{resourceVersion: at.resourceVersion, mark: m, stream: stream}
}

// whole is the place of all that feeds the store, if that is the one stream that has no
// name, or some that are joined.
func (v *version[K, T]) whole() (place, error) {
	unnamed := !v.unnamed && (v.entered || v.resourceVersion != "")
	named := slices.ContainsFunc(v.streams, func(st followed) bool { return st.life > 0 && !st.joined })
	switch {
	case v.joins && !unnamed && !named:
		return v.placeOfJoined(), nil
	case !v.joins && !named:
		at := v.placeOf("")
		at.mark.named, at.mark.alone, at.mark.joined = false, !v.unnamed && v.resourceVersion != "", v.joinedEpoch
		return at, nil
	}
	return place{}, ErrWhichStream
}

// placeOfJoined is the place of the one of the joined streams that is the furthest behind.
func (v *version[K, T]) placeOfJoined() place {
	at := place{joined: true, unnamed: v.unnamed, left: v.left, final: v.joins}
	at.mark = Mark{epoch: v.epoch, joined: v.joinedEpoch}
	if v.unnamed {
		at.behind("", v.resourceVersion)
	}
	for i := range v.streams {
		if st := &v.streams[i]; st.life > 0 && st.joined {
			at.behind(st.name, st.resourceVersion)
		}
	}
	return at
}

// behind puts a stream in, unless another is further behind. A version that has no order
// is the furthest that there is, next to none at all.
func (p *place) behind(stream, resourceVersion string) {
	if !p.final {
		if p.resourceVersion == "" {
			return
		}
		order, err := resourceversion.Compare(p.resourceVersion, resourceVersion)
		if resourceVersion != "" && err == nil && order <= 0 {
			return
		}
	}
	p.stream, p.resourceVersion, p.final = stream, resourceVersion, false
}

// isJoined reports whether b is from a stream that is joined.
func (v *version[K, T]) isJoined(b *Batch[K, T]) bool {
	return v.position(b.stream).joined // of a batch that names no stream, the unnamed one
}
