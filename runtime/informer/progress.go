// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"fmt"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// Progress describes how far an informer has synced, over all its sources.
type Progress struct {
	Synced bool
	// Phase is the phase of the source that is furthest from watching.
	Phase reflector.Phase
	// Objects is the number of objects received by the current list of each source, or by its
	// last one. Some may not be in the store yet.
	Objects int
	// Remaining is the number of objects that the current lists have yet to receive; -1 if
	// unknown. Servers report it for lists in pages without a selector, which need
	// NoWatchList and Consistent of reflector.Settings.
	Remaining int
	// Failures is the largest number of consecutive failures of a source.
	Failures int
	// LastError is the last error of the informer, or nil.
	LastError error
}

// String returns, for example, "12500 objects so far, 37500 remaining". It includes whether a
// synced informer has ended or fails.
func (p Progress) String() string {
	switch {
	case p.Synced && p.Phase == reflector.PhaseEnded:
		return "synced, and ended"
	case p.Synced && p.Failures > 0:
		return fmt.Sprintf("synced; attempts to go on that have failed since: %d", p.Failures)
	case p.Synced:
		return "synced"
	case p.Objects == 0:
		return string(p.Phase)
	case p.Remaining < 0:
		return fmt.Sprintf("%d objects so far", p.Objects)
	}
	return fmt.Sprintf("%d objects so far, %d remaining", p.Objects, p.Remaining)
}

// behind orders the phases by their distance from watching.
var behind = []reflector.Phase{
	reflector.PhaseWatching, reflector.PhaseResuming, reflector.PhaseStreaming, reflector.PhaseListing,
	reflector.PhaseWaiting, reflector.PhaseNone, reflector.PhaseEnded,
}

// Progress returns how far the informer has synced. It is cheap. The Phase of an informer that is
// not running is "not started" or "ended".
func (i *Informer[T]) Progress() Progress {
	p := Progress{Synced: i.HasSynced(), LastError: i.LastError(), Phase: reflector.PhaseNone}
	select {
	case <-i.ended():
		p.Phase = reflector.PhaseEnded
	default:
	}
	rank, known := -1, true
	for _, s := range i.Sources() {
		r := s.reflector()
		if r == nil {
			continue
		}
		one := r.Progress()
		if at := slices.Index(behind, one.Phase); at > rank {
			rank, p.Phase = at, one.Phase
		}
		p.Objects += one.Objects
		p.Failures = max(p.Failures, one.Failures)
		if one.Phase == reflector.PhaseWatching || one.Phase == reflector.PhaseResuming {
			continue
		}
		known = known && one.Remaining >= 0
		p.Remaining += max(one.Remaining, 0)
	}
	if !known || rank < 0 {
		p.Remaining = -1
	}
	return p
}
