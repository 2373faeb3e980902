// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import "slices"

// Add adds a handler: it is notified of the objects in the store, and then of every change. Add does not
// block.
func (h *Hub[T]) Add(o Options[T]) *Listener[T] {
	l := newListener(h, o)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.applying {
		h.joining = append(h.joining, l)
		return l
	}
	h.clock.Tick()
	h.admit(l)
	return l
}

// admit passes the objects in the store to l and adds l to the listeners. It requires mu, and that the
// store is not ahead of the inboxes.
func (h *Hub[T]) admit(l *Listener[T]) {
	r := h.cfg.Objects().Snapshot()
	if h.synced || r.Len() > 0 {
		l.inbox.Replay(r, true, h.synced)
		l.wake.Raise()
	}
	h.listeners = append(h.listeners[:len(h.listeners):len(h.listeners)], l)
	if h.run != nil {
		l.start(h.run)
	}
}

// Remove removes the handler: no further call begins. It returns a channel that is closed when the last
// call has returned.
func (l *Listener[T]) Remove() (ended <-chan struct{}) {
	h := l.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listeners = without(h.listeners, l)
	h.joining, h.resyncing = without(h.joining, l), without(h.resyncing, l)
	return l.remove()
}

// resync notifies l again of every object.
func (h *Hub[T]) resync(l *Listener[T]) {
	h.clock.Tick()
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.applying:
		h.resyncing = append(h.resyncing, l)
	case h.synced:
		h.repeat(l)
	}
}

// repeat queues a resync. It requires mu, and that the store is not ahead of the inboxes.
func (h *Hub[T]) repeat(l *Listener[T]) {
	l.inbox.Replay(h.cfg.Objects().Snapshot(), false, false)
	l.wake.Raise()
}

// leave removes l from the listeners that call their handler.
func (h *Hub[T]) leave(l *Listener[T]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calling = without(h.calling, l)
}

// without returns a slice of the elements of all but gone. It does not change all.
func without[E comparable](all []E, gone E) []E {
	return slices.DeleteFunc(slices.Clone(all), func(e E) bool { return e == gone })
}

// Listeners returns the handlers, in the order in which they were added.
func (h *Hub[T]) Listeners() []*Listener[T] {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append(slices.Clone(h.listeners), h.joining...)
}

// Calling returns the handlers whose goroutines have not ended.
func (h *Hub[T]) Calling() []*Listener[T] {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.calling)
}

// Blocking returns a handler whose full inbox blocks a source, or nil.
func (h *Hub[T]) Blocking() *Listener[T] {
	for _, l := range h.Listeners() {
		if l.timings.blocking.Load() != 0 {
			return l
		}
	}
	return nil
}
