// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"iter"
)

// Changes yields what a handler would be told, in batches, for those who would rather
// range over it:
//
//	for batch, err := range pods.Changes(ctx) {
//		if err != nil {
//			return err
//		}
//		for c := range batch.All() { … }
//	}
//
// First comes everything that the store holds, or will hold once it has its first list,
// as additions of the initial list; [Batch.Synced] says when that is complete. Then comes
// a batch for each batch that has changed the store, no matter how the changes were
// distributed over time: the store never shows half of one. It may be ahead of the batch.
//
// opts are those of a handler, and so is the rest: a consumer is lossless, unless
// WithCoalescing, and while more than WithBuffer changes wait, its own batch included,
// the informer waits. So it should not wait in the loop for the store to catch up. With
// WithCoalescing a batch is everything that has happened since the last, one change for
// each object, or two for one that was deleted and created again; it too takes the
// consumer from one state that the store was in to a later one. [Informer.Stats] has the
// consumer among the handlers.
//
// The sequence ends when the loop is left, and with a pair that has an error and an empty
// batch: the cause of ctx, or, as an *Error, ErrStopped when a run of the informer has
// ended, or ErrNoSource. What waited is dropped then. If the informer does not run yet,
// the loop waits for it. Each loop is a consumer of its own and begins with what exists.
func (i *Informer[T]) Changes(ctx context.Context, opts ...HandlerOption) iter.Seq2[Batch[T], error] {
	return func(yield func(Batch[T], error) bool) {
		l := newListener(i, nil, handlerOptionsOf(opts))
		i.enlist(l)
		defer i.drop(l)
		over := i.ended()
		if over == nil {
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
			case <-over:
				yield(Batch[T]{}, i.name(ErrStopped))
				return
			case <-resync:
				i.resync(l)
			default:
			}
			if b, ok := l.inbox.batch(); ok {
				if !l.give(b, yield) {
					return
				}
				continue
			}
			select {
			case <-l.wake:
			case <-resync:
				i.resync(l)
			case <-over:
			case <-ctx.Done():
			}
		}
	}
}

// give hands a batch to the consumer and reports whether it wants more.
func (l *listener[T]) give(b Batch[T], yield func(Batch[T], error) bool) bool {
	began := l.clock.read()
	l.timings.calling.Store(began)
	defer func() {
		l.timings.calling.Store(0)
		l.timings.calls.Observe(age(l.clock.read(), began))
	}()
	return yield(b, nil)
}
