// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// reading reads a source in one run: one goroutine reads it into the queue, another applies the
// queue to the store and notifies the handlers.
type reading[T metav1.Object] struct {
	stream    *Stream[T]
	run       *run
	ctx       context.Context
	cancel    context.CancelFunc
	queue     *queue.InOrder[types.NamespacedName, T]
	reflector *reflector.Reflector[T]
	batch     store.Batch[types.NamespacedName, T]
	several   bool // the informer has, or had, other sources
}

// process applies b to the store at once, distributes the changes to the handlers, and waits
// for the handlers that are too far behind.
//
//nolint:unparam // the queue requires the result
func (g *reading[T]) process(b *deltas[T]) error {
	if g.stream.informer.turn.Lock(g.ctx) != nil {
		return nil // the source is no longer read
	}
	g.stream.informer.awaitRoom(g.ctx, g.processLocked(b))
	return nil
}

// processLocked applies and distributes b. It requires i.turn, which it unlocks. It returns the
// listeners to wait for.
func (g *reading[T]) processLocked(b *deltas[T]) []*listener[T] {
	i := g.stream.informer
	defer i.turn.Unlock()
	i.mu.Lock()
	i.applying, g.several = true, i.several
	i.mu.Unlock()
	g.fill(b)

	for _, leftOut := range i.feeder.Apply(&g.batch) {
		g.stream.tell(leftOut)
	}
	changes := changesOf(b, g.batch.Changes())
	g.batch.Reset()
	if b.Replace {
		g.batch = store.Batch[types.NamespacedName, T]{} // release the memory of a list
	}
	return i.distribute(changes, b.Replace, g.stream.firstList(b.Replace))
}

// awaitRoom waits until the inbox of no listener is full. It does not require i.turn: a handler
// may be waiting for another source, for example for the informer to sync. So each source
// continues for one batch. One source waits at a time.
func (i *Informer[T]) awaitRoom(ctx context.Context, listeners []*listener[T]) {
	full := func(l *listener[T]) bool { return l.room != nil && l.inbox.Full() }
	if !slices.ContainsFunc(listeners, full) || i.waiting.Lock(ctx) != nil {
		return
	}
	defer i.waiting.Unlock()
	for _, l := range listeners {
		l.awaitRoom(ctx)
	}
}

// settle admits the handlers that were added during the batch. It requires i.mu.
func (i *Informer[T]) settle() {
	i.applying = false
	for _, l := range i.joining {
		i.admit(l)
	}
	i.joining = nil
}

// fill converts b to a batch of the store.
func (g *reading[T]) fill(b *deltas[T]) {
	i, out := g.stream.informer, &g.batch
	if g.several {
		out.From(g.stream.name, isOlder[T])
	}
	if b.Replace {
		objs, empty := make([]T, 0, len(b.Deltas)), i.store.Reader().Len() == 0
		for n := range b.Deltas {
			switch d := &b.Deltas[n]; {
			case d.Type != queue.Replaced:
			case empty:
				objs = append(objs, d.Object)
			default:
				objs = append(objs, i.held(d))
			}
		}
		out.Replace(objs) // the store finds the objects that vanished
	}
	for n := range b.Deltas {
		switch d := &b.Deltas[n]; {
		case d.Type == queue.Stale:
			out.Keep(d.Key)
		case b.Replace, d.Type == queue.Sync:
		case d.Type == queue.Deleted:
			out.Delete(d.Key)
		case g.several:
			out.Set(i.held(d)) // another source may have delivered it
		default:
			out.Set(d.Object)
		}
	}
	if b.ResourceVersion != "" {
		out.ResourceVersion(b.ResourceVersion)
	}
	if b.Rewound {
		out.Rewind()
	}
}

// distribute passes changes to all listeners and returns them. listed says that the changes are
// from a list. first is the source if it was its first list, or nil. distribute does not block.
// It requires i.turn.
func (i *Informer[T]) distribute(changes []inbox.Change[T], listed bool, first *Stream[T]) []*listener[T] {
	d := inbox.Delivery[T]{Changes: changes, List: listed, Initial: first != nil}
	d.Distinct = first == nil && i.coalesces() && !i.dupes.In(changes)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clock.Tick()
	d.Last = i.completes(first)
	if len(changes) > 0 || d.Last {
		for _, l := range i.listeners {
			l.inbox.Put(d)
			l.wake.Raise()
		}
	}
	if first != nil {
		first.hasSynced = true
		close(first.synced)
	}
	i.settle()
	return i.listeners
}

// coalesces reports whether a handler coalesces.
func (i *Informer[T]) coalesces() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.listeners, func(l *listener[T]) bool { return l.opts.coalesce })
}

// admit passes the objects in the store to l and adds l to the listeners. It requires i.mu, and
// that the store is not ahead of the listeners.
func (i *Informer[T]) admit(l *listener[T]) {
	r := i.store.Reader().Snapshot()
	if i.hasSynced || r.Len() > 0 {
		l.inbox.Replay(r, true, i.hasSynced)
		l.wake.Raise()
	}
	i.listeners = append(i.listeners[:len(i.listeners):len(i.listeners)], l)
	if i.running != nil && !i.ending {
		l.start(i.running)
	}
}

// loop applies the queue to the store until ctx ends. It then ends the reading.
func (g *reading[T]) loop() {
	returned := false
	defer func() {
		if !returned {
			//nolint:forbidigo // see store/doc.go
			panic("informer: an index function, key function or handler has called runtime.Goexit")
		}
	}()
	var reading waitgroup.Group
	reading.Go(func() { g.reflector.Run(g.ctx) })
	for g.ctx.Err() == nil {
		// Pop returns an error only if ctx has ended: process reports its own errors.
		_ = g.queue.Pop(g.ctx, g.process)
	}
	g.cancel()
	reading.Wait()
	g.stream.end(g.run)
	returned = true
}
