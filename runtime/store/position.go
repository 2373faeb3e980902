// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
)

// Mark tells what a resourceVersion belongs to, for one that is to be waited for later:
// which source, if the store has several, and since when that has not gone backward. A
// version that was given before a server was restored from a backup means nothing after.
// Marks may be compared. The zero Mark is for versions of which nothing is known.
//
// One that was of the store's only source stays of that, whatever comes to feed the store
// besides; if it is joined, all that are joined are waited for.
type Mark struct {
	stream      string
	named       bool   // of stream, whatever else feeds the store
	epoch, life uint64 // of that stream or the unnamed one; life is 0 before it begins and if it is joined
	joined      uint64 // how often a joined stream had gone backward
}

// Mark returns that of a version that the store's source, or some that are joined, has
// given just now; see WaitFor.
func (r Reader[K, T]) Mark() Mark { return r.mark(Mark{}) }

// MarkOf returns that of a version that stream has given just now; see WaitForStream.
func (r Reader[K, T]) MarkOf(stream string) Mark {
	return r.mark(Mark{stream: stream, named: true})
}

func (r Reader[K, T]) mark(m Mark) Mark {
	if r.s != nil {
		r.read(func(v *version[K, T]) {
			if at, err := v.placeAt(m); err == nil { // WaitFor returns the error
				m = at.mark
			}
		})
	}
	return m
}

// Reached reports whether the store reflects resourceVersion, or a later one of the source
// that m is of. It fails as WaitFor does: with ErrRewound if the source has gone backward
// since, ErrStreamLeft if it was removed, ErrWhichStream if m does not say which it is of, or
// if the versions have no order. An empty version is there. Live or frozen, it does not wait.
func (r Reader[K, T]) Reached(m Mark, resourceVersion string) (reached bool, err error) {
	var at place
	if r.s != nil {
		r.read(func(v *version[K, T]) { at, err = v.placeAt(m) })
	}
	if err == nil && resourceVersion != "" {
		err = resourceversion.Check(resourceVersion)
	}
	if err != nil {
		return false, err
	}
	return at.reached(m, resourceVersion)
}

// place is where the store is in what its source says, as a wait finds it.
type place struct {
	resourceVersion string
	mark            Mark   // of the versions that are given now
	stream          string // which is the furthest behind
	joined, unnamed bool   // it is that of the joined streams, and of the one without a name, too
	left            uint64 // how often that one has ended
	final           bool   // there is nothing to wait for
}

// placeAt is the place of what m is of.
func (v *version[K, T]) placeAt(m Mark) (place, error) {
	switch {
	case m.named:
		return v.placeOf(m.stream), nil
	case m.life > 0 && !v.unnamed:
		return v.placeOf(""), nil // though others may have come
	}
	return v.whole()
}

// reached says what Reached does.
func (p place) reached(m Mark, resourceVersion string) (bool, error) {
	switch now := p.mark; {
	case p.isLeft(m):
		return false, ErrStreamLeft
	case p.joined && (now.joined != m.joined || p.unnamed && now.epoch != m.epoch):
		return false, ErrRewound
	case !p.joined && now.life > 0 && now.epoch != m.epoch:
		return false, ErrRewound
	case resourceVersion == "":
		return true, nil
	case p.resourceVersion == "":
		return p.final, nil
	}
	order, err := resourceversion.Compare(p.resourceVersion, resourceVersion)
	if err != nil {
		return false, fmt.Errorf("cannot wait: the store is at a version that has no order: %w", err)
	}
	return order >= 0, nil
}

// isLeft reports whether the stream that m is of has ended. Of those that are joined, one
// that ends leaves the others to be waited for, unless m is of that one alone.
func (p place) isLeft(m Mark) bool {
	life := p.mark.life
	if p.joined {
		life = p.left + 1
	}
	return m.life > 0 && m.life != life
}

// String names the stream that is to be waited for, if it has a name.
func (p place) String() string {
	if p.stream == "" {
		return "the store"
	}
	return "source " + p.stream
}

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
	s.changed.FireAll()
}

// WaitForJoined is WaitFor for the streams that have been joined by [Feeder.Join], though
// others may feed the store as well. Which they are is asked anew after each write: a
// stream that leaves is waited for no longer, and one that is joined is, too.
func (r Reader[K, T]) WaitForJoined(ctx context.Context, resourceVersion string) error {
	return r.waitFor(ctx, resourceVersion, func(v *version[K, T], _ Mark) (place, error) {
		return v.placeOfJoined(), nil
	})
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
		at.mark.named, at.mark.joined = false, v.joinedEpoch
		if v.resourceVersion == "" {
			at.mark.life = 0
		}
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
