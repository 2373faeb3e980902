// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package health

import (
	"fmt"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// behind orders the phases by their distance from watching.
var behind = []reflector.Phase{
	reflector.PhaseWatching, reflector.PhaseResuming, reflector.PhaseStreaming, reflector.PhaseListing,
	reflector.PhaseWaiting, reflector.PhaseNone, reflector.PhaseEnded,
}

// Overall returns the progress over all sources: the phase that is furthest from watching, or idle
// without sources, the objects of all lists, and the most failures.
func Overall(all []reflector.Progress, idle reflector.Phase) (p reflector.Progress) {
	p.Phase = idle
	rank := -1
	for _, one := range all {
		if at := slices.Index(behind, one.Phase); at > rank {
			rank, p.Phase = at, one.Phase
		}
		p.Objects += one.Objects
		p.Failures = max(p.Failures, one.Failures)
	}
	return p
}

// Progress describes p, and whether a synced informer has ended or fails.
func Progress(synced bool, p reflector.Progress) string {
	switch {
	case synced && p.Phase == reflector.PhaseEnded:
		return "synced, and ended"
	case synced && p.Failures > 0:
		return fmt.Sprintf("synced; attempts to go on that have failed since: %d", p.Failures)
	case synced:
		return "synced"
	case p.Objects == 0:
		return string(p.Phase)
	}
	return fmt.Sprintf("%d objects so far", p.Objects)
}
