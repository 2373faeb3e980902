// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"

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
	alone       bool   // of the stream without a name, which had begun and was not joined
	epoch, life uint64 // of that stream, or of the one without a name; life is 0 of those that are joined
	joined      uint64 // how often one that is joined had gone backward
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
		r.readStreams(func(v *version[K, T]) {
			if at, err := v.placeAt(m); err == nil { // of several sources, a wait says so
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
		r.readStreams(func(v *version[K, T]) { at, err = v.placeAt(m) })
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
	case m.alone && !v.unnamed:
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
	if p.joined {
		return m.alone && m.life != p.left+1
	}
	return m.life > 0 && m.life != p.mark.life
}

// String names the stream that is to be waited for, if it has a name.
func (p place) String() string {
	if p.stream == "" {
		return "the store"
	}
	return "source " + p.stream
}
