// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"context"
	"errors"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// requeueAfter is the wait after ErrRequeue.
const requeueAfter = time.Second

// Queue holds the deltas between the source of a [Controller] and its process function. *DeltaFIFO implements
// it and documents the methods.
type Queue[T metav1.Object] interface {
	reflector.Sink[T]
	Pop(ctx context.Context, process func(*delta.Batch[types.NamespacedName, T]) error) error
}

// Controller processes the changes of a source. Source, Queue and Process are required. The caller owns the
// queue and may also write to it, for example to resync.
type Controller[T metav1.Object] struct {
	Source source.Source[T]
	Queue  Queue[T]

	// Process is called with one batch at a time, under no lock. If it returns
	// ErrRequeue, possibly wrapped, the queue returns the same again, and nothing is processed for a
	// second. Any other error goes to OnError, and the batch counts as processed.
	Process func(ctx context.Context, b *delta.Batch[types.NamespacedName, T]) error

	// Reflector configures how the source is read.
	Reflector reflector.Options[T]
	// OnError, if set, is called with the errors of the source, as *reflector.Error, and of Process. It
	// must be safe for concurrent use.
	OnError func(error)
}

// Run reads the source and processes its changes until ctx ends, or until Queue is closed
// and empty. When Run returns, every goroutine that it started has ended. Use the queue's
// HasSynced or Synced to learn when the first list has been processed. Run panics with
// reflector.ErrNoListerWatcher if Source has parts.
func (c Controller[T]) Run(ctx context.Context) {
	if c.OnError == nil {
		c.OnError = func(error) {}
	}
	onEvent := c.Reflector.OnEvent
	c.Reflector.OnEvent = func(e reflector.Event) {
		if e.Type == reflector.EventFailed {
			c.OnError(e.Err)
		}
		if onEvent != nil {
			onEvent(e)
		}
	}
	reads := reflector.New(c.Source, c.Queue, c.Reflector)
	ctx, cancel := context.WithCancel(ctx)
	var reading waitgroup.Group
	reading.Go(func() { reads.Run(ctx) })
	defer reading.Wait()
	defer cancel()
	for {
		var failed error // what Process returned, which may be the ErrClosed of another queue
		err := c.Queue.Pop(ctx, func(b *delta.Batch[types.NamespacedName, T]) error {
			failed = c.Process(ctx, b)
			return failed
		})
		switch {
		case ctx.Err() != nil, failed == nil && errors.Is(err, ErrClosed):
			return
		case errors.Is(failed, ErrRequeue):
			ctxsync.Sleep(ctx, requeueAfter)
		case err != nil:
			c.OnError(err)
		}
	}
}
