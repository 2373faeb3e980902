// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"errors"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"k8s.io/apimachinery/pkg/watch"
)

// FromWatch yields the events of the watch that start starts when the loop begins. It is the Watch of
// a [ListerWatcher] that reads through a client. The watch is stopped when the loop ends. convert
// converts an event, or returns the error that ends the watch.
func FromWatch[T any](
	ctx context.Context, start func() (watch.Interface, error), convert func(watch.Event) (Event[T], error),
) iter.Seq2[Event[T], error] {
	return func(yield func(Event[T], error) bool) {
		w, err := start()
		if err == nil && w == nil {
			err = errors.New("the watch function returned neither a watch nor an error")
		}
		if err != nil {
			yield(Event[T]{}, causeOr(ctx, truncate.Error(err)))
			return
		}
		defer w.Stop()
		results := w.ResultChan()
		for {
			var raw watch.Event
			open := false
			select {
			case <-ctx.Done():
			case raw, open = <-results:
			}
			if !open {
				if ctx.Err() != nil {
					yield(Event[T]{}, context.Cause(ctx))
				}
				return
			}
			event, err := convert(raw)
			if !yield(event, truncate.Error(err)) || err != nil {
				return
			}
		}
	}
}

// causeOr returns the cause of ctx if it has ended, and err otherwise.
func causeOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
