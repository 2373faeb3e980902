// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type deltaBatch[T any] = delta.Batch[types.NamespacedName, T]

// feed reads a part in one run. It begins with startMissingFeeds, and ends with the run or the part. It has two
// goroutines. The reflector pushes what it reads. The other goroutine takes it from the buffer in batches, and
// applies these. A change that comes alone does not wait in the buffer; see Push.
type feed[T metav1.Object] struct {
	*part[T]
	buffer    *buffer[T] // what was read and is not applied
	reflector *reflector.Reflector[T]
	ctx       context.Context
	cancel    context.CancelFunc
	ended     chan struct{} // closed when both goroutines have ended

	// Used by the goroutine that reads.
	lastPushHubTime int64 // when the last change came, or was applied
}

// newFeed returns a feed of p that ends with ctx. It requires informer.mu.
func newFeed[T metav1.Object](ctx context.Context, p *part[T]) *feed[T] {
	i := p.informer
	f := &feed[T]{part: p, buffer: newBuffer[T](i.opts.batchSize), ended: make(chan struct{})}
	f.ctx, f.cancel = context.WithCancel(ctx)
	reads := reflector.Options[T]{
		Settings: i.opts.reflector, Known: i.store.Reader().Get, Wake: f.probeServedSignal, OnEvent: f.reportFailureOrLogEvent,
	}
	if p.state == partPresent { // a type that was absent may return with lower versions
		reads.ResourceVersion = p.feeder.ResourceVersion()
	}
	f.reflector = reflector.New(f.src, f, reads)
	return f
}

// reportFailureOrLogEvent logs an event of the reflector, or reports its error.
func (f *feed[T]) reportFailureOrLogEvent(e reflector.Event) {
	switch {
	case f.ctx.Err() != nil:
	case e.Type == reflector.EventFailed:
		_ = f.informer.wrapAndReport(f.part, e.Err)
	default:
		f.log.Event(e)
	}
}

// readAndApply runs f until its context ends and its goroutines have ended.
func (f *feed[T]) readAndApply() {
	defer close(f.ended)
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.reflector.Run(f.ctx)
	}()
	for f.ctx.Err() == nil {
		if b := f.buffer.takeRecyclingPrevious(f.ctx); b != nil {
			_ = f.applyAndDeliver(b) // the loop finds out
		}
	}
	f.cancel()
	<-done
}

// aloneAfter is the time without a change after which a change counts as alone. It
// exceeds the usual gap between the changes of a burst, and the cost of a put.
const aloneAfter = int64(2 * time.Microsecond)

// Push implements reflector.Sink. To wake the other goroutine costs more than to apply a change, so a change
// that comes alone is applied here: nothing came lately or waits before it, and no handler is so slow that it would
// wait. Changes of a burst go through the buffer, and are applied in batches.
func (f *feed[T]) Push(ctx context.Context, d source.Delta[T], resourceVersion string) error {
	h := f.informer.hub
	now := h.Now()
	isAlone := now-f.lastPushHubTime > aloneAfter && f.buffer.isIdle() && !h.IsFull()
	if f.lastPushHubTime = now; !isAlone {
		return f.buffer.put(ctx, d, resourceVersion)
	}
	err := f.applyAndDeliver(&deltaBatch[T]{Deltas: []source.Delta[T]{d}, ResourceVersion: resourceVersion})
	f.lastPushHubTime = h.Now()
	return err
}

// Replace implements reflector.Sink.
func (f *feed[T]) Replace(ctx context.Context, list deltaBatch[T]) error {
	return f.buffer.appendList(ctx, list)
}

// Bookmark implements reflector.Sink.
func (f *feed[T]) Bookmark(resourceVersion string) error {
	f.buffer.putVersion(resourceVersion)
	return nil
}

// applyAndDeliver applies b to the store, passes the changes to the handlers, and waits for those that are too far
// behind. The store finds what a list lacks, and what is unchanged. If the part's context ends while another batch is
// being written, apply returns its cause and does not apply b.
func (f *feed[T]) applyAndDeliver(b *deltaBatch[T]) error {
	h := f.informer.hub
	if err := h.Begin(f.ctx); err != nil {
		return err
	}
	if b.Replace && resourceversion.Older(b.ResourceVersion, f.feeder.ResourceVersion()) {
		b.Rewound = true // the reflector does not know the version before an absence
	}
	d := hub.Delivery[T]{Changes: f.feeder.Apply(b), List: b.Replace}
	switch {
	case b.Absent:
		d.Initial, d.Last = f.informer.setPartState(f.part, partAbsent)
	case b.Replace:
		d.Initial, d.Last = f.informer.setPartState(f.part, partPresent)
	}
	h.Deliver(d)
	h.AwaitRoom(f.ctx)
	return nil
}
