// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// processor takes batches from the queue into the store and to the handlers.
type processor[T metav1.Object] struct {
	informer *Informer[T]
	stream   *Stream[T]
	ctx      context.Context // of the stream
	batch    store.Batch[types.NamespacedName, T]
	several  bool // there are other sources
}

// process applies b to the store, all at once, then hands what has changed to every
// handler, then waits for those that are too far behind.
func (p *processor[T]) process(b *queue.Batch[types.NamespacedName, T]) error { //nolint:unparam // the queue has it return one
	if p.informer.turn.Lock(p.ctx) != nil {
		return nil // the source is read no more, and what it has said is of no use
	}
	p.informer.awaitRoom(p.ctx, p.inTurn(b))
	return nil
}

// inTurn is process in the turn that has been taken, which it gives back; it returns the
// handlers to wait for.
func (p *processor[T]) inTurn(b *queue.Batch[types.NamespacedName, T]) []*listener[T] {
	i := p.informer
	defer i.turn.Unlock()
	i.mu.Lock()
	i.applying, p.several = true, i.several
	i.mu.Unlock()
	p.fill(b)

	for _, leftOut := range i.feeder.Apply(&p.batch) {
		p.stream.tell(leftOut)
	}
	changes := changesOf(b, p.batch.Changes())
	p.batch.Reset()
	if b.Replace {
		p.batch = store.Batch[types.NamespacedName, T]{} // do not keep the memory of a list
	}
	return i.distribute(changes, b.Replace, p.stream.lists(b.Replace))
}

// awaitRoom waits until none of the handlers is too far behind. It is called out of turn: what
// another source has to say may be what a handler waits for in its call, as the first list is
// when it waits for the informer to have synced. So each source goes on by one batch. One of
// them waits at a time.
func (i *Informer[T]) awaitRoom(ctx context.Context, listeners []*listener[T]) {
	full := func(l *listener[T]) bool { return l.room != nil && l.inbox.full() }
	if i.journal == nil && !slices.ContainsFunc(listeners, full) || i.waiting.Lock(ctx) != nil {
		return
	}
	defer i.waiting.Unlock()
	for _, l := range listeners {
		l.awaitRoom(ctx)
	}
}

// applied admits the handlers that were added during the batch, and starts the resyncs that
// came due. The lock must be held.
func (i *Informer[T]) applied() {
	i.applying = false
	for _, l := range i.joining {
		i.admit(l)
	}
	for _, l := range i.resyncing {
		i.repeat(l)
	}
	i.joining, i.resyncing = nil, nil
}

// fill translates b for the store.
func (p *processor[T]) fill(b *queue.Batch[types.NamespacedName, T]) {
	out := &p.batch
	if p.several {
		out.From(p.stream.name, isOlder[T])
	}
	if b.Replace {
		objs, empty := make([]T, 0, len(b.Deltas)), p.informer.store.Reader().Len() == 0
		for i := range b.Deltas {
			switch d := &b.Deltas[i]; {
			case d.Type != queue.Replaced:
			case empty:
				objs = append(objs, d.Object)
			default:
				objs = append(objs, p.informer.held(d))
			}
		}
		out.Replace(objs) // which finds by itself what has vanished
	}
	for i := range b.Deltas {
		switch d := &b.Deltas[i]; {
		case d.Type == queue.Stale:
			out.Keep(d.Key)
		case b.Replace, d.Type == queue.Sync:
		case d.Type == queue.Deleted:
			out.Delete(d.Key)
		case p.several:
			out.Set(p.informer.held(d)) // another source may have told of it
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

// distribute gives changes to all handlers and returns those to wait for. listed says
// that they are what a list has brought, first that of a source; nil if it was not its
// first. It does not block. The caller holds the turn.
func (i *Informer[T]) distribute(changes []change[T], listed bool, first *Stream[T]) []*listener[T] {
	distinct := first == nil && i.coalesces() && areDistinct(&i.distinct, changes)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clock.tick()
	last := i.completes(first)
	if len(changes) > 0 || last {
		for _, l := range i.listeners {
			l.inbox.put(changes, distinct, listed, first != nil, last)
			l.wake.Raise()
		}
	}
	if first != nil {
		first.hasSynced = true
		close(first.synced)
	}
	i.applied()
	return i.listeners // replaced, never changed, when handlers come and go
}

// coalesces reports whether a handler does.
func (i *Informer[T]) coalesces() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.listeners, func(l *listener[T]) bool { return l.opts.coalesce })
}

// admit gives a listener what exists and adds it to those that are given changes.
// The lock must be held, and the store must not be ahead of the listeners.
func (i *Informer[T]) admit(l *listener[T]) {
	r := i.store.Reader().Snapshot()
	if i.hasSynced || r.Len() > 0 {
		l.inbox.replay(r, true, i.hasSynced)
		l.wake.Raise()
	}
	i.listeners = append(i.listeners[:len(i.listeners):len(i.listeners)], l)
	if i.running != nil && !i.ending {
		l.start(i.running)
	}
}
