// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import "iter"

// Replacement is a complete list of the existing objects: Objects, Keyed, Undecoded and Kept together.
type Replacement[K comparable, T any] struct {
	Objects []T
	// Keyed, if set, yields objects with their keys. Replace ranges over it, and may be
	// called again with the same Keyed. KeyedLen is the number of objects to allocate room
	// for; it may be wrong.
	Keyed    iter.Seq2[K, T]
	KeyedLen int
	// Undecoded holds the keys of existing objects whose current state could not be decoded. They
	// do not count as deleted, and each gets a Stale. Objects or Keyed may hold an older state.
	Undecoded []K
	// Kept holds the keys of existing objects whose known state stays as it is. Each gets a Kept.
	Kept []K
	// ResourceVersion is the version of the list. Rewound is set if it is older than the
	// version that was reached before.
	ResourceVersion string
	Rewound         bool
}

// replaced returns a Replaced for each object of r, then a Stale or Kept for each other key.
func (c *Config[K, T]) replaced(r Replacement[K, T]) ([]Delta[K, T], error) {
	deltas := make([]Delta[K, T], 0, len(r.Objects)+max(0, r.KeyedLen)+len(r.Undecoded)+len(r.Kept))
	for _, obj := range r.Objects {
		obj, err := c.transform(obj)
		if err != nil {
			return nil, err
		}
		key, err := c.Key(obj)
		if err != nil {
			return nil, keyError(obj, err)
		}
		deltas = append(deltas, Delta[K, T]{Type: Replaced, Key: key, Object: obj})
	}
	if r.Keyed != nil {
		for key, obj := range r.Keyed {
			obj, err := c.transform(obj)
			if err != nil {
				return nil, err
			}
			deltas = append(deltas, Delta[K, T]{Type: Replaced, Key: key, Object: obj})
		}
	}
	for _, key := range r.Undecoded {
		deltas = append(deltas, Delta[K, T]{Type: Stale, NoObject: true, Key: key})
	}
	for _, key := range r.Kept {
		deltas = append(deltas, Delta[K, T]{Type: Kept, NoObject: true, Key: key})
	}
	return deltas, nil
}

// keysOf returns the keys of ds.
func keysOf[K comparable, T any](ds []Delta[K, T]) map[K]struct{} {
	keys := make(map[K]struct{}, len(ds))
	for i := range ds {
		keys[ds[i].Key] = struct{}{}
	}
	return keys
}
