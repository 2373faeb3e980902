// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"context"
	"iter"
)

// Replacement is a complete list of what exists: Objects and Keyed together, and Kept.
type Replacement[K comparable, T any] struct {
	Objects []T
	// Keyed, if set, yields objects of which the producer knows the keys, so that those
	// need not be read again; each key must be that of its object. It is ranged over
	// before Replace returns, and must yield the same if it is ranged over again.
	// KeyedLen is for how many of them room is made at once.
	Keyed    iter.Seq2[K, T]
	KeyedLen int
	// Kept are keys of objects that exist but could not be decoded, or only in an older
	// state, which is among the others then. They are not taken for deleted, and get a
	// Stale delta each.
	Kept []K
	// ResourceVersion is that of the list; Rewound says that it is older than what
	// was read before.
	ResourceVersion string
	Rewound         bool
}

// Replace queues a complete list: a Deleted, with FinalStateUnknown, for each object
// that is known or pending and not in r, then a Replaced for each that is in it. It
// waits for room like Push; a list counts as one full batch. If an object has no key
// or cannot be transformed, nothing is queued. r and its slices may be reused.
func (q *DeltaFIFO[K, T]) Replace(ctx context.Context, r Replacement[K, T]) error {
	deltas, err := q.replaced(r)
	if err != nil {
		return err
	}
	for _, key := range r.Kept {
		deltas = append(deltas, Delta[K, T]{Type: Stale, NoObject: true, Key: key})
	}
	rep := replacement[K, T]{deltas: deltas, resourceVersion: r.ResourceVersion, rewound: r.Rewound}
	if q.cfg.Mode == PerObject {
		defer q.recordKnown()()
		rep.known = q.readKnown()
	}
	return q.write(ctx, func() { q.lane.replace(rep) })
}

// replaced returns a Replaced for each object of r, and has room for what is kept.
func (q *DeltaFIFO[K, T]) replaced(r Replacement[K, T]) ([]Delta[K, T], error) {
	deltas := make([]Delta[K, T], 0, len(r.Objects)+max(0, r.KeyedLen)+len(r.Kept))
	for _, obj := range r.Objects {
		obj, err := q.transform(obj)
		if err != nil {
			return nil, err
		}
		key, err := q.cfg.Key(obj)
		if err != nil {
			return nil, &KeyError{Object: obj, Err: err}
		}
		deltas = append(deltas, Delta[K, T]{Type: Replaced, Key: key, Object: obj})
	}
	if r.Keyed == nil {
		return deltas, nil
	}
	for key, obj := range r.Keyed {
		obj, err := q.transform(obj)
		if err != nil {
			return nil, err
		}
		deltas = append(deltas, Delta[K, T]{Type: Replaced, Key: key, Object: obj})
	}
	return deltas, nil
}

// replacement is a Replacement with its keys, ready for a lane.
type replacement[K comparable, T any] struct {
	deltas          []Delta[K, T] // Replaced, then Stale
	known           []Delta[K, T] // per-object mode: what Known held
	resourceVersion string
	rewound         bool
}

// keys returns the keys that r says exist.
func (r *replacement[K, T]) keys() map[K]struct{} {
	keys := make(map[K]struct{}, len(r.deltas))
	for i := range r.deltas {
		keys[r.deltas[i].Key] = struct{}{}
	}
	return keys
}
