// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// losslessInbox is an inbox that keeps every change, in order. All handlers share the changes, and a
// snapshot costs nothing until it is delivered.
type losslessInbox[T metav1.Object] struct {
	room              ctxsync.Signal // raised when Full becomes false
	maxCountedChanges int64          // Full if more changes count
	countedChanges    atomic.Int64   // pending changes that count against limit
	pendingChanges    atomic.Int64   // all pending changes

	mu                    sync.Mutex
	pending               []Delivery[T] // from first on
	firstPending          int
	currentWithoutChanges Delivery[T] // what Next has returned, without its changes
	resyncUnfinished      bool        // a resync is pending or being delivered
	unfinishedExemptLists int         // lists that are pending or being delivered, and do not count
	initialListReceived   bool        // the initial list has come
}

// Put does not count the changes of a list toward the limit. They cannot exceed the number of objects,
// and if they counted, the store would stop until a slow handler had processed them all. A list counts
// if another list is still pending. Lists of the initial list never count: there is one for each part of
// the source. A resync is dropped if one is pending.
func (b *losslessInbox[T]) Put(d *Delivery[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d.isResync && b.resyncUnfinished {
		return
	}
	own := *d
	if !d.replaysSnapshot {
		own.snapshotAfter = reader[T]{} // pins no version of the store
	}
	own.exemptFromLimit = d.replaysSnapshot || d.List && (b.unfinishedExemptLists == 0 || d.Initial && !b.initialListReceived)
	b.resyncUnfinished, b.initialListReceived = b.resyncUnfinished || d.isResync, b.initialListReceived || d.Last
	switch {
	case !own.exemptFromLimit:
		b.countedChanges.Add(int64(len(d.Changes)))
	case d.List:
		b.unfinishedExemptLists++
	}
	b.pendingChanges.Add(int64(own.len()))
	if 2*b.firstPending > len(b.pending) {
		b.pending, b.firstPending = slices.Delete(b.pending, 0, b.firstPending), 0
	}
	b.pending = append(b.pending, own)
}

// Next implements inbox.
func (b *losslessInbox[T]) Next() (d Delivery[T], ok bool) {
	if d, ok = b.advanceDelivery(); d.replaysSnapshot {
		d.Changes, d.snapshotAfter = d.snapshotAsAddsOrUpdates(), reader[T]{}
	}
	return d, ok
}

// advanceDelivery drops the delivery that was made, and takes the oldest that is pending.
func (b *losslessInbox[T]) advanceDelivery() (d Delivery[T], ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.currentWithoutChanges.isResync {
		b.resyncUnfinished = false
	}
	if b.currentWithoutChanges.exemptFromLimit && b.currentWithoutChanges.List {
		b.unfinishedExemptLists--
	}
	if ok = b.firstPending < len(b.pending); ok {
		d, b.pending[b.firstPending] = b.pending[b.firstPending], d
		b.firstPending++
	}
	b.currentWithoutChanges = d
	b.currentWithoutChanges.Changes, b.currentWithoutChanges.snapshotAfter = nil, reader[T]{}
	return d, ok
}

// Called implements inbox.
func (b *losslessInbox[T]) Called() {
	b.pendingChanges.Add(-1)
	if !b.currentWithoutChanges.exemptFromLimit && b.countedChanges.Add(-1) == b.maxCountedChanges {
		b.room.Raise()
	}
}

// Discard implements inbox.
func (b *losslessInbox[T]) Discard(bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending, b.firstPending = nil, 0
}

// Full implements inbox.
func (b *losslessInbox[T]) Full() bool { return b.countedChanges.Load() > b.maxCountedChanges }

// Waiting implements inbox.
func (b *losslessInbox[T]) Waiting() (n int, oldestHubTime int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if oldestHubTime = b.currentWithoutChanges.arrivalHubTime; oldestHubTime == 0 && b.firstPending < len(b.pending) {
		oldestHubTime = b.pending[b.firstPending].arrivalHubTime
	}
	return int(b.pendingChanges.Load()), oldestHubTime
}
