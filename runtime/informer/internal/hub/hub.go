// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package hub passes the changes of a store to the handlers of an informer, in the same order to all.
//
// A [Hub] has three locks. One orders the batches. It is held from [Hub.Begin], while a batch is written to the
// store, until [Hub.Deliver] has passed the changes to the inboxes of all handlers. Another guards the fields. No
// foreign code runs under it, so registering a handler never waits for an index function. While a batch is being
// written, a handler that is added, or a resync that comes due, gets the store before the batch. The batch follows.
//
// Each handler has an inbox and, during a run, a goroutine that calls it (a [Listener]). The inbox holds the
// changes that wait, in order and complete (lossless.go), or snapshots of the store (coalescing.go). If the inbox
// of a lossless handler is full, the part of the source that filled it waits. It does so without the first lock,
// so each other part can apply one more batch. The third lock lets one part wait at a time.
package hub

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Hub passes the changes of a store to handlers. Create it with New.
type Hub[T metav1.Object] struct {
	cfg                 Config[T]
	createdAt           time.Time     // of Now
	batchInProgressLock ctxsync.Mutex // held from Begin to Deliver
	roomWaitLock        ctxsync.Mutex // held while a part of the source waits for handlers

	mu                   sync.Mutex     // guards the fields below; no foreign code runs under it
	listeners            []*Listener[T] // copied on write
	runningListeners     []*Listener[T] // whose goroutine runs
	initialListDelivered bool           // the last of the initial lists was distributed

	// liveOrPreBatchReader reads the store without the batch that is being written: a snapshot from Begin to Deliver,
	// otherwise live.
	liveOrPreBatchReader reader[T]

	// Of the run, from Start to Stop, in which handlers are called; nil otherwise.
	runCtx   context.Context
	runGroup *waitgroup.Group
}

// Config configures a Hub. Log may be nil.
type Config[T metav1.Object] struct {
	// Objects reads the store, live.
	Objects reader[T]
	// OnPanic is notified of panics of handlers. Without it they end the program.
	OnPanic func(handler string, value any, stack []byte)
	Log     *health.Log
}

// New returns a hub without handlers.
func New[T metav1.Object](cfg Config[T]) *Hub[T] {
	return &Hub[T]{
		cfg: cfg, createdAt: time.Now(), batchInProgressLock: ctxsync.NewMutex(), roomWaitLock: ctxsync.NewMutex(), liveOrPreBatchReader: cfg.Objects,
	}
}

type reader[T any] = store.Reader[types.NamespacedName, T]

// Now returns the time since the hub was created, in nanoseconds. It is never 0.
func (h *Hub[T]) Now() int64 { return int64(time.Since(h.createdAt)) + 1 }

// Start calls the handlers, on goroutines of done, until ctx ends and Stop is called.
func (h *Hub[T]) Start(ctx context.Context, goroutines *waitgroup.Group) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.runCtx, h.runGroup = ctx, goroutines
	for _, l := range h.listeners {
		l.start()
	}
}

// Stop ends the goroutines of the run, whose context has ended. It does not wait for them.
func (h *Hub[T]) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.runCtx, h.runGroup = nil, nil
	for _, l := range h.runningListeners {
		l.wake.Raise()
	}
}

// AwaitRoom waits until the inbox of no handler is full. The caller must have ended its batch: the slow handler
// may itself be waiting for another part, which must go on. So each other part can apply one more
// batch while this one waits. One part waits at a time.
func (h *Hub[T]) AwaitRoom(ctx context.Context) {
	if !h.IsFull() || h.roomWaitLock.Lock(ctx) != nil {
		return
	}
	defer h.roomWaitLock.Unlock()
	for _, l := range h.Listeners() {
		l.awaitRoom(ctx)
	}
}

// IsFull reports whether the next batch may have to wait for a handler.
func (h *Hub[T]) IsFull() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.listeners, func(l *Listener[T]) bool { return l.inbox.Full() })
}

// Add adds a handler: it is notified of the objects in the store, and then of every change. Add does not
// block.
func (h *Hub[T]) Add(o Options[T]) *Listener[T] {
	l := newListener(h, o)
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.liveOrPreBatchReader.Snapshot(); h.initialListDelivered || r.Len() > 0 {
		l.put(&Delivery[T]{snapshotAfter: r, replaysSnapshot: true, Initial: true, Last: h.initialListDelivered, arrivalHubTime: h.Now()})
	}
	h.listeners = append(h.listeners[:len(h.listeners):len(h.listeners)], l)
	if h.runCtx != nil {
		l.start()
	}
	return l
}

// Remove removes the handler: no further call begins, and what is pending is dropped. It returns a channel that is
// closed when the last call has returned.
func (l *Listener[T]) Remove() (ended <-chan struct{}) {
	h := l.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listeners = copyWithout(h.listeners, l)
	if !l.isRemoved() {
		close(l.removed)
		l.wake.Raise()
		l.inbox.Discard(false)
	}
	if l.runEnded == nil {
		l.discard()
		return l.removed
	}
	return l.runEnded
}

// discard drops all that l holds. It requires hub.mu, and that no goroutine calls the handler.
func (l *Listener[T]) discard() {
	l.current = Delivery[T]{}
	l.inbox.Discard(true)
}

// deliverResync notifies l again of every object.
func (h *Hub[T]) deliverResync(l *Listener[T]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.initialListDelivered && !l.isRemoved() {
		l.put(&Delivery[T]{snapshotAfter: h.liveOrPreBatchReader.Snapshot(), replaysSnapshot: true, isResync: true, arrivalHubTime: h.Now()})
	}
}

// markListenerEnded records that the goroutine of l ends.
func (h *Hub[T]) markListenerEnded(l *Listener[T]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.runningListeners = copyWithout(h.runningListeners, l)
	close(l.runEnded)
	if l.runEnded = nil; l.isRemoved() {
		l.discard()
	}
}

// copyWithout returns a slice of the elements of all but gone. It does not change all.
func copyWithout[E comparable](all []E, gone E) []E {
	return slices.DeleteFunc(slices.Clone(all), func(e E) bool { return e == gone })
}

// Listeners returns the handlers, in the order in which they were added.
func (h *Hub[T]) Listeners() []*Listener[T] {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.listeners
}

// Calling returns the handlers whose goroutines have not ended.
func (h *Hub[T]) Calling() []*Listener[T] {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.runningListeners)
}

// Blocking returns a handler whose full inbox blocks a part, or nil.
func (h *Hub[T]) Blocking() *Listener[T] {
	for _, l := range h.Listeners() {
		if l.timings.blockedSinceHubTime.Load() != 0 {
			return l
		}
	}
	return nil
}
