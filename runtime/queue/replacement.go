// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// Replacement is a complete list of the existing objects: those of Deltas and Objects together.
type Replacement[K comparable, T any] struct {
	// Deltas holds a Replaced, Stale or Kept for each object. If the latest state of an object could
	// not be decoded, but an older one could, it has a Replaced with the older one, then a Stale.
	// Replace takes ownership of Deltas, also if it fails.
	Deltas []delta.Delta[K, T]
	// Objects holds objects without keys. Each gets a Replaced, after Deltas.
	Objects []T
	// ResourceVersion is the version of the list. Rewound is set if it is older than the
	// version that was reached before.
	ResourceVersion string
	Rewound         bool
}

// replaced returns the deltas of r, with transformed objects.
func (c *Config[K, T]) replaced(r Replacement[K, T]) ([]delta.Delta[K, T], error) {
	deltas := slices.Grow(r.Deltas, len(r.Objects))
	for _, obj := range r.Objects {
		d, err := c.deltaOf(delta.Replaced, obj)
		if err != nil {
			return nil, err
		}
		deltas = append(deltas, d)
	}
	for i := range deltas {
		if err := c.transformDelta(&deltas[i]); err != nil {
			return nil, err
		}
	}
	return deltas, nil
}

// keysOf returns the keys of ds.
func keysOf[K comparable, T any](ds []delta.Delta[K, T]) map[K]struct{} {
	keys := make(map[K]struct{}, len(ds))
	for i := range ds {
		keys[ds[i].Key] = struct{}{}
	}
	return keys
}
