// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
)

// Mark identifies the source and the epoch of a resourceVersion, so that Reached can check it
// later. After a server is restored from a backup, earlier versions mean nothing. Marks may
// be compared with ==. Use the zero Mark for versions of unknown origin.
//
// A Mark of the store's only source stays tied to it when sources are added. If that source
// is joined, the Mark means all joined sources.
type Mark struct {
	stream      string
	named       bool   // of stream, and not of the whole store
	epoch, life uint64 // of that stream or the unnamed one; life is 0 before it begins and if it is joined
	joined      uint64 // how often a joined stream had gone backward
}

// Mark returns the Mark of a resourceVersion that the server has just returned. The store has
// one source, or several that are joined; see WaitFor.
func (r Reader[K, T]) Mark() Mark { return r.mark(Mark{}) }

// MarkOf returns the Mark of a resourceVersion of stream that the server has just returned; see
// WaitForStream.
func (r Reader[K, T]) MarkOf(stream string) Mark {
	return r.mark(Mark{stream: stream, named: true})
}

func (r Reader[K, T]) mark(m Mark) Mark {
	if r.s != nil {
		if at, err := r.version().placeAt(m); err == nil { // WaitFor returns the error
			m = at.mark
		}
	}
	return m
}

// Reached reports whether the store reflects resourceVersion or a later one. m is the Mark of
// resourceVersion. An empty version is always reached. Reached does not wait. It returns the
// errors of WaitFor: ErrRewound if the source has gone backward since, ErrStreamLeft if it was
// removed, ErrWhichStream if m does not name one of several sources, and an error if versions
// have no order.
func (r Reader[K, T]) Reached(m Mark, resourceVersion string) (reached bool, err error) {
	var at place
	if r.s != nil {
		at, err = r.version().placeAt(m)
	}
	if err == nil && resourceVersion != "" {
		err = resourceversion.Check(resourceVersion)
	}
	if err != nil {
		return false, err
	}
	return at.reached(m, resourceVersion)
}

// place is the position of the store in one source or in several that are joined.
type place struct {
	resourceVersion string
	mark            Mark   // of the current versions
	stream          string // the stream that is furthest behind
	joined, unnamed bool   // it is the place of the joined streams; the unnamed one is among them
	left            uint64 // how often the unnamed stream has ended
	final           bool   // no stream is joined, so every version is reached
}

// placeAt returns the place of the streams that m identifies.
func (v *version[K, T]) placeAt(m Mark) (place, error) {
	switch {
	case m.named:
		return v.placeOf(m.stream), nil
	case m.life > 0 && !v.unnamed:
		return v.placeOf(""), nil // even if streams have been added
	}
	return v.whole()
}

// reached implements Reached.
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
		return false, fmt.Errorf("cannot compare with the store's version: %w", err)
	}
	return order >= 0, nil
}

// isLeft reports whether the stream of m has ended. If m is of several joined streams, it is
// not: the others can still be waited for.
func (p place) isLeft(m Mark) bool {
	life := p.mark.life
	if p.joined {
		life = p.left + 1
	}
	return m.life > 0 && m.life != life
}

// String names the stream that is furthest behind.
func (p place) String() string {
	if p.stream == "" {
		return "the store"
	}
	return "source " + p.stream
}

// Join declares that streams (see [Batch.From]) come from one server, like the streams of
// several namespaces. A resourceVersion then means the same in all joined streams, and is
// reached when the last of them has reached it. Joins add up; a stream that leaves is no
// longer joined. Join without streams declares that the store has joined streams, so far none.
//
// Join all streams before the first of them begins. Otherwise a wait could end before it
// knows of a stream that is still behind.
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
	s.current.Store(v)
	s.writing = false
	s.write.Unlock()
	s.changed.FireAll()
}

// WaitForJoined is WaitFor for the joined streams ([Feeder.Join]), even if other streams feed
// the store as well. It follows changes: it waits for streams that are joined meanwhile, and no
// longer for those that leave.
func (r Reader[K, T]) WaitForJoined(ctx context.Context, resourceVersion string) error {
	return r.waitFor(ctx, resourceVersion, func(v *version[K, T], _ Mark) (place, error) {
		return v.placeOfJoined(), nil
	})
}

// placeOf returns the place of one stream.
func (v *version[K, T]) placeOf(stream string) place {
	at := v.position(stream)
	m := Mark{stream: stream, named: true, epoch: at.epoch, life: at.life}
	return place{resourceVersion: at.resourceVersion, mark: m, stream: stream}
}

// whole returns the place of the whole store, if it is fed by the unnamed stream only or by
// joined streams only. Otherwise it returns ErrWhichStream.
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

// placeOfJoined returns the place of the joined stream that is furthest behind.
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

// behind makes p the place of a stream unless p is further behind. A stream without a version
// is the furthest behind, then one whose version has no order.
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
	return v.position(b.stream).joined // a batch without From is of the unnamed stream
}
