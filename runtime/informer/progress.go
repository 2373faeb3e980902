// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
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
	// Failures is the largest number of consecutive failures of a source.
	Failures int
	// LastError is the last error of the informer, or nil.
	LastError error
}

// String returns, for example, "12500 objects so far". It includes whether a synced informer has ended
// or fails.
func (p Progress) String() string {
	return health.Progress(p.Synced, reflector.Progress{
		Phase: p.Phase, Objects: p.Objects, Failures: p.Failures,
	})
}
