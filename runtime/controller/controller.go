// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Config says what a controller does. Source, Queue and Process are required.
type Config[T metav1.Object] struct {
	Source source.ListerWatcher[T]
	Queue  *queue.DeltaFIFO[types.NamespacedName, T]

	// Process is called for each batch, one at a time, under no lock. If it returns
	// queue.ErrRequeue, possibly wrapped, it gets the same again after RequeueAfter,
	// during which nothing else is processed; any other error is told to OnError,
	// and the batch counts as processed.
	Process func(ctx context.Context, b *queue.Batch[types.NamespacedName, T]) error
	// RequeueAfter is how long to wait after ErrRequeue; a second if 0.
	RequeueAfter time.Duration

	// Reflector configures how the source is read. Its OnError may be called by two
	// goroutines at once: by the reflector's, and with the errors of Process.
	Reflector reflector.Options[T]
}

// Run reads the source and processes what it says until ctx ends, or until Queue is
// closed and empty. When it returns, all that it started has ended. Whether the first
// list has been processed, Queue.HasSynced and Queue.Synced tell.
func Run[T metav1.Object](ctx context.Context, c Config[T]) {
	if c.RequeueAfter <= 0 {
		c.RequeueAfter = time.Second
	}
	ctx, cancel := context.WithCancel(ctx)
	var reading waitgroup.Group
	reading.Go(func() { reflector.New(c.Source, c.Queue, c.Reflector).Run(ctx) })
	defer reading.Wait()
	defer cancel()
	for {
		again := false
		err := c.Queue.Pop(ctx, func(b *queue.Batch[types.NamespacedName, T]) error {
			err := c.Process(ctx, b)
			again = errors.Is(err, queue.ErrRequeue)
			return err
		})
		switch {
		case ctx.Err() != nil, errors.Is(err, queue.ErrClosed):
			return
		case again:
			wait(ctx, c.RequeueAfter)
		case err != nil && c.Reflector.OnError != nil:
			c.Reflector.OnError(err)
		}
	}
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
