// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
)

// Watch yields a snapshot of the store now, and a newer one whenever the
// objects under value may have changed since: one came, went, or was written.
// Several changes while the loop is busy make one snapshot.
//
//	for r := range byNode.Watch(ctx, store.Reader(), "node-7") {
//		for p := range byNode.Get(r, "node-7") { … }
//	}
//
// It ends with ctx or with the loop, and leaves nothing behind. Writers pay a
// load while nobody watches anything in the store, and a look-up for each index
// value that they write while somebody does. A frozen reader is yielded once.
func (ix Index[K, T, V]) Watch(ctx context.Context, r Reader[K, T], value V) iter.Seq[Reader[K, T]] {
	return ix.Equal(value).Watch(ctx, r)
}

// Watch yields a snapshot of the store now, and a newer one whenever the answer
// to q may have changed, as [Index.Watch] does.
func (q Query[K, T]) Watch(ctx context.Context, r Reader[K, T]) iter.Seq[Reader[K, T]] {
	return func(yield func(Reader[K, T]) bool) {
		if r.s == nil || r.at != nil {
			if ctx.Err() == nil {
				yield(r)
			}
			return
		}
		if q.node == nil {
			q = AnyOf[K, T]()
		}
		sig := notify.NewSignal()
		defer r.s.watch.Register(sig, q.node)()
		for ctx.Err() == nil {
			// Registered first, seen second: what is published in between is
			// in the snapshot, and fires as well.
			if !yield(r.Snapshot()) {
				return
			}
			select {
			case <-sig.C():
			case <-ctx.Done():
			}
		}
	}
}

// isOf reports whether x is an index of the store that w is of, so that what is noted
// of it is noted there. Of another store it says which objects answer a query, by asking
// its function about each, and hears of no write.
func (x *index[K, T, V]) isOf(w *notify.List) bool { return w == &x.store.watch }
