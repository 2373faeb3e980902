// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
)

// Watch yields a snapshot of the store now, and a new one whenever an object under value may
// have been added, changed or deleted. Several changes while the loop body runs yield one
// snapshot. The first write after the loop begins yields a snapshot whatever it changes, because
// it may have begun before the loop.
//
//	for r := range byNode.Watch(ctx, store.Reader(), "node-7") {
//		for p := range byNode.Get(r, "node-7") { … }
//	}
//
// It ends when ctx ends or the loop is left, and leaves nothing behind. A write costs one load
// more if the store has no watches, and one look-up for each index value if it has some. A
// frozen reader is yielded once.
func (ix Index[K, T, V]) Watch(ctx context.Context, r Reader[K, T], value V) iter.Seq[Reader[K, T]] {
	return ix.Equal(value).Watch(ctx, r)
}

// Watch yields a snapshot of the store now, and a new one whenever the result of q may have
// changed; see [Index.Watch].
func (q Query[K, T]) Watch(ctx context.Context, r Reader[K, T]) iter.Seq[Reader[K, T]] {
	return func(yield func(Reader[K, T]) bool) {
		if r.store == nil || r.frozenVersion != nil {
			if ctx.Err() == nil {
				yield(r)
			}
			return
		}
		sig := notify.NewSignal()
		defer r.store.queryWatches.Register(sig, nodeOrNone(q))()
		for ctx.Err() == nil {
			// The signal was registered before the snapshot is taken, so no write is missed.
			if !yield(r.Snapshot()) {
				return
			}
			select {
			case <-sig.Signal:
			case <-ctx.Done():
			}
		}
	}
}
