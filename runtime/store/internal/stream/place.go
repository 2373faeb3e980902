// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"cmp"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
)

// Epoch identifies one source, or all that are joined, and how often it had gone backward. The
// zero Epoch is that of versions of unknown origin.
type Epoch struct {
	source string
	named  bool   // of source, and not of the whole store
	epoch  uint64 // of that source or ""
	life   uint64 // of that source or ""; 0 before it begins and if it is joined
	joined uint64 // how often a joined source had gone backward
}

// EpochOf returns an Epoch to look up the current one of source with Positions.At.
func EpochOf(source string) Epoch { return Epoch{source: source, named: true} }

// Follow makes e the Epoch of now if the source of e had not begun.
func (e *Epoch) Follow(now Epoch) {
	if e.named && e.life == 0 {
		*e = now
	}
	e.life = cmp.Or(e.life, now.life)
}

// Place is the position of a store in one source, or in several that are joined.
type Place struct {
	ResourceVersion string
	Epoch           Epoch    // of the current versions
	source          string   // the source that is furthest behind
	joined          bool     // it is the place of the joined sources
	first           position // in source "", if joined is set
	final           bool     // no source is joined, so every version is reached
}

// Reached reports whether the place is at resourceVersion of Epoch e, or later. It returns
// ErrEnded, ErrRewound, or an error if versions have no order.
func (p Place) Reached(e Epoch, resourceVersion string) (bool, error) {
	switch now := p.Epoch; {
	case p.isEnded(e):
		return false, ErrEnded
	case p.joined && (now.joined != e.joined || p.first.joined && now.epoch != e.epoch):
		return false, ErrRewound
	case !p.joined && now.life > 0 && now.epoch != e.epoch:
		return false, ErrRewound
	case resourceVersion == "":
		return true, nil
	case p.ResourceVersion == "":
		return p.final, nil
	}
	order, err := resourceversion.Compare(p.ResourceVersion, resourceVersion)
	if err != nil {
		return false, fmt.Errorf("cannot compare with the store's version: %w", err)
	}
	return order >= 0, nil
}

// isEnded reports whether the source of e has ended. If e is of several joined sources, it has
// not: the others can still be waited for.
func (p Place) isEnded(e Epoch) bool {
	life := p.Epoch.life
	if p.joined {
		life = p.first.life
	}
	return e.life > 0 && e.life != life
}

// String names the source that is furthest behind.
func (p Place) String() string {
	if p.source == "" {
		return "the store"
	}
	return "source " + p.source
}

// behind makes p the place of a source unless p is further behind. A source without a version
// is the furthest behind, then one whose version has no order.
func (p *Place) behind(source, resourceVersion string) {
	if !p.final {
		if p.ResourceVersion == "" {
			return
		}
		unordered := resourceversion.Check(p.ResourceVersion) != nil
		order, err := resourceversion.Compare(p.ResourceVersion, resourceVersion)
		if resourceVersion != "" && (unordered || err == nil && order <= 0) {
			return
		}
	}
	p.source, p.ResourceVersion, p.final = source, resourceVersion, false
}
