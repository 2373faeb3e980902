// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"sync/atomic"
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

// feed reads a part in one run. It begins with startFeeds, and ends with the run or the part. It has two goroutines.
// The reflector pushes what it reads. The other goroutine takes it from the buffer in batches, and applies these. A
// change that comes alone does not wait in the buffer; see Push.
type feed[T metav1.Object] struct {
	*part[T]
	buffer    *buffer[T] // what was read and is not applied
	reflector atomic.Pointer[reflector.Reflector[T]]
	reading   context.Context    // of reflector
	stop      context.CancelFunc // ends reading
	ctx       context.Context
	cancel    context.CancelFunc
	ended     chan struct{} // closed when both goroutines have ended

	// Used by the goroutine that reads.
	last int64 // when the last change came, or was applied
}

// newFeed returns a feed of p that ends with ctx. It requires informer.mu.
func newFeed[T metav1.Object](ctx context.Context, p *part[T]) *feed[T] {
	f := &feed[T]{part: p, ended: make(chan struct{})}
	f.ctx, f.cancel = context.WithCancel(ctx)
	version := ""
	if p.state == present { // a type that was absent may return with lower versions
		version = p.feeder.ResourceVersion()
	}
	f.prepare(version)
	return f
}

// prepare prepares readUntilAbsent, which continues at resourceVersion.
func (f *feed[T]) prepare(resourceVersion string) {
	i := f.informer
	f.buffer = newBuffer[T](i.opts.batchSize)
	f.reading, f.stop = context.WithCancel(f.ctx)
	f.reflector.Store(reflector.New(f.src, f, reflector.Options[T]{
		Settings: i.opts.reflector, ResourceVersion: resourceVersion, Known: f.known, OnEvent: f.happened,
	}))
}

// happened logs an event of the reflector, or reports its error. If the type is gone, the reflector ends.
func (f *feed[T]) happened(e reflector.Event) {
	switch {
	case f.reading.Err() != nil:
	case e.Type != reflector.EventFailed:
		f.log.Event(e)
	case f.isGone(e.Err):
		f.stop()
	default:
		_ = f.informer.report(f.part, e.Err)
	}
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
	defer close(f.ended)
	for f.readUntilAbsent(); f.ctx.Err() == nil; f.readUntilAbsent() {
		f.sitOut()
		f.prepare("")
	}
	f.cancel()
}

// readUntilAbsent reads until the type is absent or ctx ends.
func (f *feed[T]) readUntilAbsent() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.reflector.Load().Run(f.reading)
	}()
	for f.reading.Err() == nil {
		if b := f.buffer.take(f.reading); b != nil {
			_ = f.apply(b, present) // the loop finds out
		}
	}
	f.stop()
	<-done
}

// aloneAfter is the time without a change after which a change counts as alone. It is longer than
// most sources take from one change of a burst to the next, and than it takes to put a change into the buffer.
const aloneAfter = int64(2 * time.Microsecond)

// Push implements reflector.Sink. To wake the other goroutine costs more than to apply a change, so a change
// that comes alone is applied here. Changes of a burst go through the buffer, and are applied in batches.
func (f *feed[T]) Push(ctx context.Context, d source.Delta[T], resourceVersion string) error {
	h := f.informer.hub
	now := h.Now()
	isAlone := f.isAlone(now)
	if f.last = now; !isAlone {
		return f.buffer.put(ctx, d, resourceVersion)
	}
	err := f.apply(&deltaBatch[T]{Deltas: []source.Delta[T]{d}, ResourceVersion: resourceVersion}, present)
	f.last = h.Now()
	return err
}

// isAlone reports whether the change that has come is alone: nothing came lately or waits before it, and no handler is
// so slow that it would wait here.
func (f *feed[T]) isAlone(now int64) bool {
	return now-f.last > aloneAfter && f.buffer.isIdle() && !f.informer.hub.IsFull()
}

// Replace implements reflector.Sink.
func (f *feed[T]) Replace(ctx context.Context, list deltaBatch[T]) error {
	return f.buffer.putList(ctx, list)
}

// Bookmark implements reflector.Sink.
func (f *feed[T]) Bookmark(resourceVersion string) error {
	f.buffer.putVersion(resourceVersion)
	return nil
}

// apply applies b to the store, passes the changes to the handlers, and waits for those that are too far
// behind. The store finds what a list lacks, and what is unchanged. A list brings the part to state. If the part is no
// longer read, apply returns the cause of its context, and b is not applied.
func (f *feed[T]) apply(b *deltaBatch[T], state partState) error {
	h := f.informer.hub
	if err := h.Begin(f.ctx); err != nil {
		return err
	}
	if b.Replace && resourceversion.Older(b.ResourceVersion, f.feeder.ResourceVersion()) {
		b.Rewound = true // the reflector does not know the version before an absence
	}
	d := hub.Delivery[T]{Changes: f.feeder.Apply(b), List: b.Replace}
	if b.Replace {
		d.Initial, d.Last = f.informer.setState(f.part, state)
	}
	h.Deliver(d)
	h.AwaitRoom(f.ctx)
	return nil
}
