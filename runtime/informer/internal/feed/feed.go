// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package feed

import (
	"context"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type (
	inOrder[T any]     = queue.InOrder[types.NamespacedName, T]
	objectDelta[T any] = delta.Delta[types.NamespacedName, T]
	queueBatch[T any]  = delta.Batch[types.NamespacedName, T]
	storeBatch[T any]  = store.Batch[types.NamespacedName, T]
)

// Config configures a Feed.
type Config[T metav1.Object] struct {
	Name      string
	Source    source.ListerWatcher[T]
	Reflector reflector.Options[T] // without Known
	BatchSize int
	Store     *store.Store[types.NamespacedName, T]
	Hub       *hub.Hub[T]
	// Several reports whether the store has, or had, other sources.
	Several func() bool
	// Applied is called after each batch is in the store and before it is distributed. list says that
	// it is a list. It returns Initial and Last of the delivery.
	Applied func(list bool) (initial, last bool)
}

// Feed reads one source in one run of an informer. Create it with New.
type Feed[T metav1.Object] struct {
	cfg       Config[T]
	queue     *inOrder[T] // what was read and is not applied
	reflector *reflector.Reflector[T]
	ctx       context.Context
	cancel    context.CancelFunc
	batch     storeBatch[T]

	// Used by the goroutine that reads.
	last int64             // when the last change came, or was applied
	lone [1]objectDelta[T] // a change that came alone
}

// New returns a feed. It reads until ctx ends or Stop is called.
func New[T metav1.Object](ctx context.Context, c Config[T]) *Feed[T] {
	f := &Feed[T]{cfg: c, queue: queue.NewInOrder(queue.Config[types.NamespacedName, T]{
		Key: queue.ObjectKey[T], BatchSize: c.BatchSize,
	})}
	f.ctx, f.cancel = context.WithCancel(ctx)
	c.Reflector.Known = f.known
	f.reflector = reflector.New(c.Source, f, c.Reflector)
	return f
}

// known returns the object in the store. It does not search an empty store, as during the first list.
func (f *Feed[T]) known(key types.NamespacedName) (obj T, ok bool) {
	r := f.cfg.Store.Reader()
	if r.Len() == 0 {
		return obj, false
	}
	return r.Get(key)
}

// Start starts the goroutines of f in group, and calls ended after both.
func (f *Feed[T]) Start(group *waitgroup.Group, ended func()) {
	read := make(chan struct{})
	group.Go(func() {
		defer close(read)
		f.reflector.Run(f.ctx)
	})
	group.Go(func() {
		for f.ctx.Err() == nil {
			// Pop returns an error only if ctx has ended: apply reports its own errors.
			_ = f.queue.Pop(f.ctx, f.apply)
		}
		f.cancel()
		<-read
		ended()
	})
}

// Stop ends the goroutines of f. It does not wait for them.
func (f *Feed[T]) Stop() { f.cancel() }

// Reflector returns the reflector.
func (f *Feed[T]) Reflector() *reflector.Reflector[T] { return f.reflector }

// aloneAfter is the time without a change after which a change counts as alone. It is longer than
// most sources take from one change of a burst to the next, and than it takes to queue a change.
const aloneAfter = int64(2 * time.Microsecond)

// Push implements reflector.Sink. The goroutine that reads applies a change itself if it comes alone:
// to wake another goroutine costs more than to apply it. Changes of a burst are queued, and applied in
// batches.
func (f *Feed[T]) Push(ctx context.Context, d objectDelta[T], resourceVersion string) error {
	now := f.cfg.Hub.Now()
	alone := now-f.last > aloneAfter && f.queue.Idle() && !f.cfg.Hub.IsFull()
	if f.last = now; !alone {
		return f.queue.Push(ctx, d, resourceVersion)
	}
	f.lone[0] = d
	err := f.apply(&queueBatch[T]{Deltas: f.lone[:], ResourceVersion: resourceVersion})
	f.lone[0] = objectDelta[T]{}
	f.last = f.cfg.Hub.Now()
	return err
}

// Replace implements reflector.Sink.
func (f *Feed[T]) Replace(ctx context.Context, r queue.Replacement[types.NamespacedName, T]) error {
	return f.queue.Replace(ctx, r)
}

// Bookmark implements reflector.Sink.
func (f *Feed[T]) Bookmark(resourceVersion string) error { return f.queue.Bookmark(resourceVersion) }

// apply applies b to the store at once, passes the changes to the hub, and waits for the handlers that
// are too far behind.
//
//nolint:unparam // the queue requires the result
func (f *Feed[T]) apply(b *queueBatch[T]) error {
	err := f.cfg.Hub.Apply(f.ctx, func(d *inbox.Delivery[T]) {
		d.Changes, d.List = f.write(b), b.Replace
		f.batch.Reset()
		d.Initial, d.Last = f.cfg.Applied(b.Replace)
	})
	if err == nil { // otherwise the source is no longer read
		f.cfg.Hub.AwaitRoom(f.ctx)
	}
	return nil
}

// write writes b to the store, which finds what a list lacks.
func (f *Feed[T]) write(b *queueBatch[T]) []store.Change[T] {
	f.batch.Write(b)
	f.batch.Compare(store.CompareObjects[T])
	if f.cfg.Several() {
		f.batch.SetSource(f.cfg.Name, isOlder[T])
	}
	changes, _ := f.cfg.Store.Apply(&f.batch) // it fails only for a Set without a key
	return changes
}

// isOlder reports whether a is known to be an earlier state than b.
func isOlder[T metav1.Object](a, b T) bool {
	return resourceversion.Older(a.GetResourceVersion(), b.GetResourceVersion())
}
