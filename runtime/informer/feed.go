// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type (
	objectDelta[T any] = delta.Delta[types.NamespacedName, T]
	deltaBatch[T any]  = delta.Batch[types.NamespacedName, T]
)

// feed reads a part of the source in one run, on two goroutines. The reflector pushes what it reads; the
// other goroutine takes it from the queue in batches. A change that comes alone does not wait in the queue:
// the goroutine that reads it applies it.
type feed[T metav1.Object] struct {
	*part[T]
	queue     *queue.InOrder[types.NamespacedName, T] // what was read and is not applied
	reflector *reflector.Reflector[T]
	ctx       context.Context
	cancel    context.CancelFunc
	ended     chan struct{} // closed when both goroutines have ended

	// Used by the goroutine that reads.
	last int64             // when the last change came, or was applied
	lone [1]objectDelta[T] // a change that came alone
}

// newFeed returns a feed of p that ends with ctx.
func newFeed[T metav1.Object](ctx context.Context, p *part[T]) *feed[T] {
	i := p.informer
	f := &feed[T]{part: p, ended: make(chan struct{})}
	f.queue = queue.NewInOrder(queue.Config[types.NamespacedName, T]{BatchSize: i.opts.batchSize})
	f.ctx, f.cancel = context.WithCancel(ctx)
	position := i.store.Reader().ResourceVersion()
	if i.src.Parts != nil {
		position = i.feeder.PartVersion(p.name)
	}
	f.reflector = reflector.New(p.src, f, reflector.Options[T]{
		Settings: i.opts.reflector, ResourceVersion: position, Known: f.known, OnEvent: f.happened,
	})
	return f
}

// happened logs an event of the reflector, or reports its error.
func (f *feed[T]) happened(e reflector.Event) {
	if e.Type == reflector.EventFailed {
		_ = f.informer.report(f.part, e.Err)
		return
	}
	f.log.Event(e)
}

// known returns the object in the store. It does not search an empty store, as during the first list.
func (f *feed[T]) known(key types.NamespacedName) (obj T, ok bool) {
	r := f.informer.store.Reader()
	if r.Len() == 0 {
		return obj, false
	}
	return r.Get(key)
}

// run runs f until its context ends and its goroutines have ended.
func (f *feed[T]) run() {
	read := make(chan struct{})
	go func() {
		defer close(read)
		f.reflector.Run(f.ctx)
	}()
	for f.ctx.Err() == nil {
		// Pop returns an error only if ctx has ended: apply reports its own errors.
		_ = f.queue.Pop(f.ctx, f.apply)
	}
	f.cancel()
	<-read
	close(f.ended)
}

// aloneAfter is the time without a change after which a change counts as alone. It is longer than
// most sources take from one change of a burst to the next, and than it takes to queue a change.
const aloneAfter = int64(2 * time.Microsecond)

// Push implements reflector.Sink. The goroutine that reads applies a change itself if it comes alone:
// to wake another goroutine costs more than to apply it. Changes of a burst are queued, and applied in
// batches.
func (f *feed[T]) Push(ctx context.Context, d objectDelta[T], resourceVersion string) error {
	h := f.informer.hub
	now := h.Now()
	alone := now-f.last > aloneAfter && f.queue.Idle() && !h.IsFull()
	if f.last = now; !alone {
		return f.queue.Push(ctx, d, resourceVersion)
	}
	f.lone[0] = d
	err := f.apply(&deltaBatch[T]{Deltas: f.lone[:], ResourceVersion: resourceVersion})
	f.lone[0] = objectDelta[T]{}
	f.last = h.Now()
	return err
}

// Replace implements reflector.Sink.
func (f *feed[T]) Replace(ctx context.Context, list deltaBatch[T]) error {
	return f.queue.Replace(ctx, list)
}

// Bookmark implements reflector.Sink.
func (f *feed[T]) Bookmark(resourceVersion string) error { return f.queue.Bookmark(resourceVersion) }

// apply applies b to the store, passes the changes to the handlers, and waits for those that are too far
// behind. The store finds what a list lacks, and what is unchanged.
//
//nolint:unparam // the queue requires the result
func (f *feed[T]) apply(b *deltaBatch[T]) error {
	i := f.informer
	if i.hub.Begin(f.ctx) != nil {
		return nil // the part is no longer read
	}
	var changes []store.Change[T]
	if i.src.Parts == nil {
		changes = i.feeder.Apply(b)
	} else {
		changes = i.feeder.ApplyPart(f.name, b)
	}
	initial, last := f.applied(b.Replace)
	i.hub.Distribute(hub.Delivery[T]{Changes: changes, List: b.Replace, Initial: initial, Last: last})
	i.hub.AwaitRoom(f.ctx)
	return nil
}

// isOlder reports whether a is known to be an earlier state than b.
func isOlder[T metav1.Object](a, b T) bool {
	return resourceversion.Older(a.GetResourceVersion(), b.GetResourceVersion())
}
