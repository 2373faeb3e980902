// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// coalescingInbox is an inbox that keeps a snapshot of the objects of which the handler was notified. A delivery that
// waits alone is passed on as it is. Several become one pass, which notifies the handler of the difference of two
// snapshots. So the inbox holds versions of the store, and the changes of one delivery.
type coalescingInbox[T metav1.Object] struct {
	mu                    sync.Mutex
	snapshotAfterCurrent  reader[T]         // what the handler knows after the running pass
	pendingDelivery       mergedDelivery[T] // the next pass; came is 0 if there is none
	currentArrivalHubTime int64             // when the first change of the running pass came, 0 if none runs
	currentMaxCalls       int               // of the running pass, at most
	resyncUnfinished      bool              // a resync is due or runs

	// Used only by the goroutine that calls the handler.
	currentDelivery mergedDelivery[T]
	currentDiff     store.Diff[T]     // of a pass of several deliveries
	diffBuffer      []store.Change[T] // the last changes of the diff; it may have more if they are changesAtOnce
}

// mergedDelivery is a sequence of calls that brings the handler to a later state of the store. Its Delivery is the
// only one, or has the state after several and no changes.
type mergedDelivery[T metav1.Object] struct {
	Delivery[T]
	changesFromSnapshotDiff bool
	maxCalls                int // at most

	// sourceRemovedKeys holds the objects that left with a part of the source. The difference of two snapshots does not
	// show that. Without it, a handler would take objects that another replica of a sharded program takes over for
	// deleted ones, and clean up what the other replica owns.
	sourceRemovedKeys map[types.NamespacedName]struct{}
}

// changesAtOnce is about the number of changes of a difference that are delivered at once.
const changesAtOnce = 64

// Put drops a resync if one is due or runs.
func (b *coalescingInbox[T]) Put(d *Delivery[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d.isResync && b.resyncUnfinished {
		return
	}
	b.resyncUnfinished = b.resyncUnfinished || d.isResync
	b.pendingDelivery.addDelivery(d)
	if d.Released || b.pendingDelivery.sourceRemovedKeys != nil {
		b.pendingDelivery.updateSourceRemovedKeys(d, b.snapshotAfterCurrent)
	}
}

// addDelivery adds a delivery to a pass.
func (p *mergedDelivery[T]) addDelivery(d *Delivery[T]) {
	p.maxCalls += d.len()
	if p.arrivalHubTime == 0 {
		p.Delivery, p.changesFromSnapshotDiff = *d, d.replaysSnapshot
		return
	}
	p.changesFromSnapshotDiff, p.Changes, p.snapshotAfter = true, nil, d.snapshotAfter
	p.Initial, p.Last, p.isResync = p.Initial || d.Initial, p.Last || d.Last, p.isResync || d.isResync
}

// updateSourceRemovedKeys adds the objects of known that left with a part of the source, and drops those that are back.
func (p *mergedDelivery[T]) updateSourceRemovedKeys(d *Delivery[T], known reader[T]) {
	if p.sourceRemovedKeys == nil {
		p.sourceRemovedKeys = make(map[types.NamespacedName]struct{})
	}
	for i := range d.Changes {
		switch c := &d.Changes[i]; {
		case c.Type == store.Added:
			delete(p.sourceRemovedKeys, store.KeyOf(c.New))
		case c.Cause == store.SourceRemoved:
			if _, ok := known.Get(store.KeyOf(c.Old)); ok {
				p.sourceRemovedKeys[store.KeyOf(c.Old)] = struct{}{}
			}
		}
	}
}

// Next implements inbox.
func (b *coalescingInbox[T]) Next() (d Delivery[T], ok bool) {
	if len(b.diffBuffer) < changesAtOnce && !b.advanceDelivery() {
		return d, false
	}
	d = b.currentDelivery.Delivery
	if b.currentDelivery.changesFromSnapshotDiff {
		d.Changes = b.nextDiffChanges()
	}
	d.Last = d.Last && len(b.diffBuffer) < changesAtOnce
	return d, true
}

// advanceDelivery ends the pass that runs, and begins the next one if it is due.
func (b *coalescingInbox[T]) advanceDelivery() bool {
	clear(b.diffBuffer)
	b.diffBuffer = b.diffBuffer[:0]
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.currentDelivery.isResync {
		b.resyncUnfinished = false
	}
	b.currentDelivery, b.pendingDelivery, b.currentDiff = b.pendingDelivery, mergedDelivery[T]{}, store.Diff[T]{}
	b.currentArrivalHubTime, b.currentMaxCalls = b.currentDelivery.arrivalHubTime, b.currentDelivery.maxCalls
	if b.currentArrivalHubTime == 0 {
		return false
	}
	if b.currentDelivery.changesFromSnapshotDiff {
		b.currentDiff = store.DiffOf(b.snapshotAfterCurrent, b.currentDelivery.snapshotAfter, b.currentDelivery.isResync)
	}
	b.snapshotAfterCurrent = b.currentDelivery.snapshotAfter
	return true
}

// nextDiffChanges returns the next changes of the difference.
func (b *coalescingInbox[T]) nextDiffChanges() []store.Change[T] {
	clear(b.diffBuffer)
	b.diffBuffer = b.currentDiff.Append(b.diffBuffer[:0], changesAtOnce)
	if b.currentDelivery.sourceRemovedKeys == nil {
		return b.diffBuffer
	}
	for i := range b.diffBuffer {
		c := &b.diffBuffer[i]
		if _, released := b.currentDelivery.sourceRemovedKeys[store.KeyOf(c.New)]; released && c.Type == store.Deleted {
			c.Cause = store.SourceRemoved
		}
	}
	return b.diffBuffer
}

// Called implements inbox. The calls of a pass are pending until it ends.
func (b *coalescingInbox[T]) Called() {}

// Discard implements inbox.
func (b *coalescingInbox[T]) Discard(includingCurrent bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.pendingDelivery = (mergedDelivery[T]{}); includingCurrent {
		b.snapshotAfterCurrent, b.currentDelivery = reader[T]{}, mergedDelivery[T]{}
		b.currentDiff, b.diffBuffer = store.Diff[T]{}, nil
	}
}

// Full implements inbox: a coalescing is never full.
func (b *coalescingInbox[T]) Full() bool { return false }

// Waiting implements inbox. Several changes of one object count several times.
func (b *coalescingInbox[T]) Waiting() (n int, oldestHubTime int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if oldestHubTime = b.currentArrivalHubTime; oldestHubTime == 0 {
		oldestHubTime = b.pendingDelivery.arrivalHubTime
	}
	return b.currentMaxCalls + b.pendingDelivery.maxCalls, oldestHubTime
}
