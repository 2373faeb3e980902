// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
)

// Changes yields the changes that a handler would be notified of, in batches:
//
//	for batch, err := range pods.Changes(ctx) {
//		if err != nil {
//			return err
//		}
//		for c := range batch.All() { … }
//	}
//
// The objects in the store come first, as additions of the initial list. [Batch.Synced] is true
// for the batch that completes the initial list. Then comes one batch for each batch that
// changed the store. The store may be ahead of the batch.
//
// opts are the options of a handler. The loop is lossless by default: while more changes than
// WithBuffer wait, including the current batch, the informer waits. Therefore do not wait in the
// loop for the store to catch up. With WithCoalescing a batch holds everything since the last
// batch: one change for each object, or two if it was deleted and created again.
// [Informer.Stats] lists the loop among the handlers.
//
// The sequence ends when the loop ends, or with an empty batch and an error: the cause of ctx,
// or, as an *Error, ErrStopped if a run of the informer ends, or ErrNoSource. Pending changes
// are dropped then. If the informer is not running yet, the loop waits for it. Each loop starts
// with the objects in the store.
func (i *Informer[T]) Changes(ctx context.Context, opts ...HandlerOption) iter.Seq2[Batch[T], error] {
	return func(yield func(Batch[T], error) bool) {
		l := newListener(i, nil, handlerOptionsOf(opts))
		i.enlist(l)
		defer l.drop()
		ended := i.ended()
		if ended == nil {
			yield(Batch[T]{}, i.name(ErrNoSource))
			return
		}
		resync, stop := ticks(l.opts.resync)
		defer stop()
		for {
			select {
			case <-ctx.Done():
				yield(Batch[T]{}, context.Cause(ctx))
				return
			case <-ended:
				yield(Batch[T]{}, i.name(ErrStopped))
				return
			case <-resync:
				i.resync(l)
			default:
			}
			if b, ok := l.inbox.Batch(); ok {
				if !l.give(b, yield) {
					return
				}
				continue
			}
			select {
			case <-l.wake:
			case <-resync:
				i.resync(l)
			case <-ended:
			case <-ctx.Done():
			}
		}
	}
}

// give yields a batch and reports whether the loop continues.
func (l *listener[T]) give(b inbox.Batch[T], yield func(Batch[T], error) bool) bool {
	began := l.clock.Read()
	l.timings.calling.Store(began)
	defer func() {
		l.timings.calling.Store(0)
		l.timings.calls.Observe(age(l.clock.Read(), began))
	}()
	return yield(Batch[T]{b}, nil)
}
