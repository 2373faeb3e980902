// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Delivery holds changes that come at once. The hub puts it into the inboxes, which share its Changes. The Delivery
// that an inbox returns is the handler's own. Old of a change is the state of which the handler was last notified.
type Delivery[T metav1.Object] struct {
	Changes  []store.Change[T]
	List     bool // the changes are from a list
	Initial  bool // they are part of the initial list of handlers
	Last     bool // the initial list ends with them: the informer has synced
	Released bool // a part of the source was removed

	arrivalHubTime int64 // see Hub.Now

	snapshotAfter reader[T] // a snapshot of the store right after these changes

	// With whole, Changes is nil until delivery. Next makes it from all objects of after, for the initial list of a
	// late handler or, with resync, as updates.
	replaysSnapshot, isResync bool

	exemptFromLimit bool // set by a lossless inbox: these changes do not count toward its limit
}

// len returns the number of changes.
func (d *Delivery[T]) len() int {
	if d.replaysSnapshot {
		return d.snapshotAfter.Len()
	}
	return len(d.Changes)
}

// snapshotAsAddsOrUpdates returns the changes of a whole snapshot.
func (d *Delivery[T]) snapshotAsAddsOrUpdates() []store.Change[T] {
	changes := make([]store.Change[T], 0, d.snapshotAfter.Len())
	for obj := range d.snapshotAfter.All() {
		c := store.Change[T]{New: obj, Type: store.Added}
		if d.isResync {
			c.Old, c.Type = obj, store.Updated
		}
		changes = append(changes, c)
	}
	return changes
}

// Begin begins a batch. The caller then writes it to the store, and passes the changes to Deliver. Batches come one
// at a time. Begin returns the cause of ctx if ctx ends while another batch is being written.
func (h *Hub[T]) Begin(ctx context.Context) error {
	if err := h.batchInProgressLock.Lock(ctx); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.liveOrPreBatchReader = h.cfg.Objects.Snapshot()
	return nil
}

// Deliver ends the batch that Begin began, and passes its changes to all inboxes. A caller that reads a source then
// waits, by AwaitRoom, for the handlers that are too far behind.
func (h *Hub[T]) Deliver(d Delivery[T]) {
	defer h.batchInProgressLock.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.liveOrPreBatchReader = h.cfg.Objects
	h.initialListDelivered, d.arrivalHubTime, d.snapshotAfter = h.initialListDelivered || d.Last, h.Now(), h.liveOrPreBatchReader.Snapshot()
	if len(d.Changes) > 0 || d.Last {
		for _, l := range h.listeners {
			l.put(&d)
		}
	}
}

// inbox holds the deliveries that wait for one handler. Put, Full and Waiting may be called at any time. The other
// methods are called by one goroutine at a time, the one that calls the handler. None blocks.
type inbox[T metav1.Object] interface {
	// Put adds d, whose Changes it shares with the other inboxes. It may drop a resync.
	Put(d *Delivery[T])
	// Next returns the next calls to make. Those that it returned before have been made.
	Next() (d Delivery[T], ok bool)
	// Called is called after each call.
	Called()
	// Full reports whether more changes are pending than should be.
	Full() bool
	// Waiting returns the number of pending changes, including the one of the current call, and the hub time at which
	// the oldest came, 0 if there is none.
	Waiting() (n int, oldestHubTime int64)
	// Discard drops what is pending, because the handler was removed. Nothing is put afterwards. With includingCurrent, it
	// also drops what Next has returned. Without, it may be called at any time.
	Discard(includingCurrent bool)
}

// put adds d to the inbox, and wakes the goroutine that calls the handler.
func (l *Listener[T]) put(d *Delivery[T]) {
	l.inbox.Put(d)
	l.wake.Raise()
}

// run calls the handler until ctx ends or the handler is removed. A panic of the handler does not end it.
func (l *Listener[T]) run(ctx context.Context) {
	defer l.hub.markListenerEnded(l)
	var resync <-chan time.Time
	if l.opts.Resync > 0 {
		ticker := time.NewTicker(l.opts.Resync)
		defer ticker.Stop()
		resync = ticker.C
	}
	for !l.mustStopCalling(ctx) {
		if !l.drainInbox(ctx, resync) {
			continue
		}
		select {
		case <-l.wake:
		case <-resync:
			l.hub.deliverResync(l)
		}
	}
}

// mustStopCalling reports whether no further call may begin. It runs before every call of the handler, so it
// checks the channels one by one: that takes no lock, and a select over both would.
func (l *Listener[T]) mustStopCalling(ctx context.Context) bool {
	return l.isRemoved() || ctxsync.IsClosed(ctx.Done())
}

// drainInbox calls the handler until the inbox is empty, and returns true then. It returns false if
// no further call may begin, and after a panic of the handler that OnPanic was notified of. Without OnPanic, and
// outside of the handler, the panic goes on and ends the program.
func (l *Listener[T]) drainInbox(ctx context.Context, resync <-chan time.Time) (idle bool) {
	calling := false
	began := int64(0) // when the current call began
	defer func() {
		l.timings.callStartHubTime.Store(0)
		if !calling {
			return
		}
		l.finishHandlerCall(began)
		if l.hub.cfg.OnPanic == nil {
			return
		}
		if v := recover(); v != nil { // and not runtime.Goexit
			l.timings.panics.Add(1)
			l.hub.cfg.OnPanic(l.opts.Name, v, debug.Stack())
		}
	}()
	for d := &l.current; !l.mustStopCalling(ctx); {
		if len(d.Changes) == 0 {
			if !l.tryTakeDelivery(resync) {
				return true
			}
			began = l.hub.Now()
			continue
		}
		if began == 0 {
			began = l.hub.Now()
		}
		c := d.Changes[0]
		d.Changes = d.Changes[1:]
		l.timings.callStartHubTime.Store(began)
		calling = true
		l.opts.Call(c, d.Initial)
		calling = false
		began = l.finishHandlerCall(began) // accurate enough as the start of the next call
	}
	return false
}

// tryTakeDelivery makes the next delivery of the inbox the current one, after a resync that is due. It returns false
// if there is none.
func (l *Listener[T]) tryTakeDelivery(resync <-chan time.Time) (ok bool) {
	select {
	case <-resync:
		l.hub.deliverResync(l)
	default:
	}
	if l.current, ok = l.inbox.Next(); ok {
		l.closeSyncedIfDelivered()
	}
	return ok
}

// closeSyncedIfDelivered closes synced when the last call for the initial list has been made.
func (l *Listener[T]) closeSyncedIfDelivered() {
	if l.current.Last && len(l.current.Changes) == 0 && !ctxsync.IsClosed(l.synced) {
		close(l.synced)
	}
}

// finishHandlerCall counts a call that began at began, and returns the current time.
func (l *Listener[T]) finishHandlerCall(beganHubTime int64) int64 {
	l.inbox.Called()
	l.closeSyncedIfDelivered()
	now := l.hub.Now()
	l.timings.calls.Observe(time.Duration(now - beganHubTime))
	return now
}
