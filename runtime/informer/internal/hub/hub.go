// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"context"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Hub passes the changes of a store to handlers. Create it with New.
type Hub[T metav1.Object] struct {
	cfg     Config[T]
	clock   *inbox.Clock
	turn    ctxsync.Mutex // held while a batch is applied and distributed
	waiting ctxsync.Mutex // held while a source waits for handlers

	delivery inbox.Delivery[T] // guarded by turn

	mu        sync.Mutex     // guards the fields below; no foreign code runs under it
	listeners []*Listener[T] // copied on write
	joining   []*Listener[T] // added while a batch is applied
	resyncing []*Listener[T] // whose resync came due while a batch is applied
	calling   []*Listener[T] // whose goroutine runs
	applying  bool           // the store may be ahead of the inboxes
	synced    bool           // the last of the initial lists was distributed
	run       *run           // nil if handlers are not called
}

// Config configures a Hub. Log may be nil.
type Config[T metav1.Object] struct {
	// Objects reads the store.
	Objects func() inbox.Reader[T]
	// OnPanic is notified of panics of handlers. Without it they end the program.
	OnPanic func(handler string, value any, stack []byte)
	Log     *health.Log
}

// run is the time in which handlers are called.
type run struct {
	ctx  context.Context
	done *waitgroup.Group // of the goroutines that call handlers
}

// New returns a hub without handlers.
func New[T metav1.Object](cfg Config[T]) *Hub[T] {
	return &Hub[T]{cfg: cfg, clock: inbox.NewClock(), turn: ctxsync.NewMutex(), waiting: ctxsync.NewMutex()}
}

// Now returns the time since the hub was created, in nanoseconds.
func (h *Hub[T]) Now() int64 { return h.clock.Read() }

// Start calls the handlers, on goroutines of done, until ctx ends and Stop is called.
func (h *Hub[T]) Start(ctx context.Context, done *waitgroup.Group) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.run = &run{ctx, done}
	for _, l := range h.listeners {
		l.start(h.run)
	}
}

// Stop ends the goroutines of the run, whose context has ended. It does not wait for them.
func (h *Hub[T]) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.run = nil
	for _, l := range h.calling {
		l.wake.Raise()
	}
}

// Apply calls apply, which applies a batch to the store, and distributes the changes that it returns in d.
// Batches are applied one after the other. Apply returns the cause of ctx if that ends before its turn.
// The caller then waits for the handlers that are too far behind, by AwaitRoom, if it reads a source.
func (h *Hub[T]) Apply(ctx context.Context, apply func(d *inbox.Delivery[T])) error {
	if err := h.turn.Lock(ctx); err != nil {
		return err
	}
	defer h.turn.Unlock()
	h.mu.Lock()
	h.applying = true
	h.mu.Unlock()
	apply(&h.delivery)
	h.distribute(&h.delivery)
	h.delivery.Reset()
	return nil
}

// distribute passes d to all inboxes. It requires turn.
func (h *Hub[T]) distribute(d *inbox.Delivery[T]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clock.Tick()
	h.synced = h.synced || d.Last
	if len(d.Changes) > 0 || d.Last {
		for _, l := range h.listeners {
			l.inbox.Put(d)
			l.wake.Raise()
		}
	}
	h.settle()
}

// settle admits the handlers that were added during the batch, and starts the resyncs that came due. It
// requires mu.
func (h *Hub[T]) settle() {
	h.applying = false
	for _, l := range h.joining {
		h.admit(l)
	}
	for _, l := range h.resyncing {
		h.repeat(l)
	}
	h.joining, h.resyncing = nil, nil
}

// AwaitRoom waits until the inbox of no handler is full. It must not be called in apply: the slow handler
// may itself be waiting for another source, which must go on. So each other source can apply one more
// batch while this one waits. One source waits at a time.
func (h *Hub[T]) AwaitRoom(ctx context.Context) {
	if !h.IsFull() || h.waiting.Lock(ctx) != nil {
		return
	}
	defer h.waiting.Unlock()
	for _, l := range h.Listeners() {
		l.awaitRoom(ctx)
	}
}

// IsFull reports whether the next batch may have to wait for a handler.
func (h *Hub[T]) IsFull() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.listeners, (*Listener[T]).isFull)
}
