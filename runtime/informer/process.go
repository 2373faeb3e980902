// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"slices"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// reading reads a source in one run: one goroutine reads it into the queue, another applies the
// queue to the store and notifies the handlers.
type reading[T metav1.Object] struct {
	source  *Source[T]
	run     *run
	ctx     context.Context
	cancel  context.CancelFunc
	read    chan struct{} // closed when the reflector has ended
	batch   store.Batch[types.NamespacedName, T]
	several bool // the informer has, or had, other sources

	*queue.InOrder[types.NamespacedName, T]
	// Used by the goroutine that reads.
	last int64       // when the last change came, or was applied
	lone [1]delta[T] // a change that came alone
}

// aloneAfter is the time without a change after which a change counts as alone. It is longer than
// most sources take from one change of a burst to the next, and than it takes to queue a change.
const aloneAfter = int64(2 * time.Microsecond)

// Push implements reflector.Sink. The goroutine that reads applies a change itself if it comes alone:
// to wake another goroutine costs more than to apply it. Changes of a burst are queued, and applied in
// batches.
func (p *reading[T]) Push(ctx context.Context, d delta[T], resourceVersion string) error {
	i := p.source.informer
	now := i.clock.Read()
	alone := now-p.last > aloneAfter && p.Idle() && !i.isFull()
	if p.last = now; !alone {
		return p.InOrder.Push(ctx, d, resourceVersion)
	}
	p.lone[0] = d
	err := p.process(&deltas[T]{Deltas: p.lone[:], ResourceVersion: resourceVersion})
	p.lone[0] = delta[T]{}
	p.last = i.clock.Read()
	return err
}

// isFull reports whether the inbox of a listener is full.
func (i *Informer[T]) isFull() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.ContainsFunc(i.listeners, (*listener[T]).isFull)
}

// process applies b to the store at once, distributes the changes to the handlers, and waits
// for the handlers that are too far behind.
//
//nolint:unparam // the queue requires the result
func (p *reading[T]) process(b *deltas[T]) error {
	if p.source.informer.turn.Lock(p.ctx) != nil {
		return nil // the source is no longer read
	}
	p.source.informer.awaitRoom(p.ctx, p.processLocked(b))
	return nil
}

// processLocked applies and distributes b. It requires i.turn, which it unlocks. It returns the
// listeners to wait for.
func (p *reading[T]) processLocked(b *deltas[T]) []*listener[T] {
	i := p.source.informer
	defer i.turn.Unlock()
	i.mu.Lock()
	i.applying, p.several = true, i.several
	i.mu.Unlock()
	p.fill(b)

	for _, leftOut := range i.feeder.Apply(&p.batch) {
		p.source.tell(leftOut)
	}
	changes := changesOf(p.batch.Changes())
	p.batch.Reset()
	if b.Replace {
		p.batch = store.Batch[types.NamespacedName, T]{} // release the memory of a list
	}
	return i.distribute(changes, p.source, b.Replace)
}

// awaitRoom waits until the inbox of no listener is full. The caller must not hold i.turn: the slow
// handler may itself be waiting for another source, which must go on. So each other source can apply one
// more batch while this one waits. One source waits at a time.
func (i *Informer[T]) awaitRoom(ctx context.Context, listeners []*listener[T]) {
	if !slices.ContainsFunc(listeners, (*listener[T]).isFull) || i.waiting.Lock(ctx) != nil {
		return
	}
	defer i.waiting.Unlock()
	for _, l := range listeners {
		l.awaitRoom(ctx)
	}
}

// settle admits the handlers that were added during the batch, and starts the resyncs that came
// due. It requires i.mu.
func (i *Informer[T]) settle() {
	i.applying = false
	for _, l := range i.joining {
		i.admit(l)
	}
	for _, l := range i.resyncing {
		i.repeat(l)
	}
	i.joining, i.resyncing = nil, nil
}

// fill converts b to a batch of the store.
func (p *reading[T]) fill(b *deltas[T]) {
	out := &p.batch
	if p.several {
		out.SetSource(p.source.name, isOlder[T])
	}
	if b.Replace {
		objs, empty := make([]T, 0, len(b.Deltas)), p.source.informer.store.Reader().Len() == 0
		for i := range b.Deltas {
			switch d := &b.Deltas[i]; {
			case d.Type == queue.Kept:
				if old, ok := p.source.informer.store.Reader().Get(d.Key); ok {
					objs = append(objs, old)
				}
			case d.Type != queue.Replaced:
			case empty:
				objs = append(objs, d.Object)
			default:
				objs = append(objs, p.source.informer.held(d))
			}
		}
		out.Replace(objs) // the store finds the objects that vanished
	}
	for i := range b.Deltas {
		switch d := &b.Deltas[i]; {
		case d.Type == queue.Stale:
			out.KeepStale(d.Key)
		case b.Replace, d.Type == queue.Sync:
		case d.Type == queue.Deleted && (d.NoObject || d.FinalStateUnknown):
			out.Delete(d.Key)
		case d.Type == queue.Deleted:
			out.DeleteFinal(d.Key, d.Object)
		case p.several:
			out.Set(p.source.informer.held(d)) // another source may have delivered it
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

// distribute passes changes of s to all listeners and returns them. listed says that the changes
// are from a list. distribute does not block. It requires i.turn.
func (i *Informer[T]) distribute(changes []inbox.Change[T], s *Source[T], listed bool) []*listener[T] {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clock.Tick()
	first := listed && !s.hasSynced
	s.hasSynced = s.hasSynced || first
	if last := i.completes(); len(changes) > 0 || last {
		i.delivery.Set(changes, listed, first, last)
		for _, l := range i.listeners {
			l.inbox.Put(&i.delivery)
			l.wake.Raise()
		}
		i.delivery.Set(nil, false, false, false) // release the objects
	}
	if first {
		close(s.synced)
	}
	i.settle()
	return i.listeners
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

// apply applies the queue to the store until ctx ends. It then ends the reading.
func (p *reading[T]) apply() {
	for p.ctx.Err() == nil {
		// Pop returns an error only if ctx has ended: process reports its own errors.
		_ = p.Pop(p.ctx, p.process)
	}
	p.cancel()
	<-p.read
	p.source.end(p.run)
}
