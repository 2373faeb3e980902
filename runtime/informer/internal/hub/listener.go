// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Options are those of one handler.
type Options[T any] struct {
	Call     func(c inbox.Change[T], inInitialList bool)
	Name     string
	Label    string // Name, or the type of the handler
	Buffer   int    // of a lossless handler
	Coalesce bool
	Resync   time.Duration // 0: none
}

// Listener delivers changes to one handler.
type Listener[T metav1.Object] struct {
	hub     *Hub[T]
	opts    Options[T]
	timings timings
	inbox   inbox.Inbox[T]
	room    ctxsync.Signal // raised when inbox is no longer full; nil if it never is
	wake    ctxsync.Signal // raised when inbox is not empty, and when calls are to end

	removed chan struct{} // closed by remove
	synced  chan struct{} // closed when the initial list has been delivered
	once    sync.Once     // closes synced

	mu    sync.Mutex
	gone  bool          // removed is closed
	ended chan struct{} // closed when no call is running and none will begin; nil if not started
}

func newListener[T metav1.Object](h *Hub[T], o Options[T]) *Listener[T] {
	l := &Listener[T]{
		hub: h, opts: o, wake: ctxsync.NewSignal(), removed: make(chan struct{}), synced: make(chan struct{}),
	}
	onInitial := func() { l.once.Do(func() { close(l.synced) }) }
	if o.Coalesce {
		l.inbox = inbox.NewCoalescing[T](h.clock, onInitial)
		return l
	}
	b := inbox.NewLossless[T](o.Buffer, h.clock, onInitial)
	l.inbox, l.room = b, b.Room
	return l
}

// Synced is closed when the initial list has been delivered.
func (l *Listener[T]) Synced() <-chan struct{} { return l.synced }

// Removed is closed by Remove.
func (l *Listener[T]) Removed() <-chan struct{} { return l.removed }

// start calls the handler on a goroutine, until r ends or the handler is removed. It requires hub.mu.
func (l *Listener[T]) start(r *run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone {
		return
	}
	s := shift{run: r, ended: make(chan struct{})}
	s.resync, s.stopResync = ticks(l.opts.Resync)
	l.ended = s.ended
	l.hub.calling = append(l.hub.calling, l)
	r.done.Go(func() { l.run(s) })
}

// remove prevents further calls. It returns a channel that is closed when the last call has
// returned.
func (l *Listener[T]) remove() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.gone {
		l.gone = true
		close(l.removed)
		l.wake.Raise()
	}
	if l.ended == nil {
		return l.removed
	}
	return l.ended
}

// isFull reports whether a source must wait for the handler.
func (l *Listener[T]) isFull() bool { return l.room != nil && l.inbox.Full() }

// Label returns the name of the handler, or else its type, for errors.
func (l *Listener[T]) Label() string { return l.opts.Label }
