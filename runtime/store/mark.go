// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// Mark tells what a resourceVersion belongs to, for one that is to be waited for later:
// which source, if the store has several, and since when that has not gone backward. A
// version that was given before a server was restored from a backup means nothing after.
// Marks may be compared. The zero Mark is for versions of which nothing is known.
type Mark struct {
	stream      string
	named       bool
	epoch, life uint64
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
			at, _ := v.placeAt(m) // of several sources, a wait says so
			m.epoch, m.life = at.epoch, at.life
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
		_, err = resourceversion.CompareResourceVersion(resourceVersion, resourceVersion)
	}
	if err != nil {
		return false, err
	}
	return at.reached(m, resourceVersion)
}

// place is where the store is in what its source says, as a wait finds it.
type place struct {
	resourceVersion string
	epoch, life     uint64 // as in followed
	stream          string // which is the furthest behind
	final           bool   // there is nothing to wait for
}

// placeAt is the place of what m is of.
func (v *version[K, T]) placeAt(m Mark) (place, error) {
	if m.named {
		return v.placeOf(m.stream), nil
	}
	return v.whole()
}

// reached says what Reached does.
func (p place) reached(m Mark, resourceVersion string) (bool, error) {
	switch {
	case m.life > 0 && p.life != m.life:
		return false, ErrStreamLeft
	case p.life > 0 && p.epoch != m.epoch:
		return false, ErrRewound
	case resourceVersion == "":
		return true, nil
	case p.resourceVersion == "":
		return p.final, nil
	}
	order, err := resourceversion.CompareResourceVersion(p.resourceVersion, resourceVersion)
	if err != nil {
		return false, fmt.Errorf("cannot wait: the store is at a version that has no order: %w", err)
	}
	return order >= 0, nil
}

// String names the stream that is to be waited for, if it has a name.
func (p place) String() string {
	if p.stream == "" {
		return "the store"
	}
	return "source " + p.stream
}
