// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package notify wakes goroutines that wait for a store to change.
package notify

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Signal wakes one watcher.
type Signal struct {
	ch  chan struct{} // of one, so that firing never waits
	due bool          // guarded by List.mu
}

// NewSignal returns a signal that has not fired.
func NewSignal() *Signal { return &Signal{ch: make(chan struct{}, 1)} }

// C returns the channel that the signal fires on.
func (s *Signal) C() <-chan struct{} { return s.ch }

func (s *Signal) fire() {
	select {
	case s.ch <- struct{}{}:
	default:
	}
}

// List has the watchers of a store. The zero value is an empty list. All methods are safe for
// concurrent use. Reads of the store do not lock it.
type List struct {
	n     atomic.Int64 // the number of watchers
	mu    sync.Mutex
	fresh []*Signal // registered since the last Fire
	due   []*Signal // to fire at the next Fire
	every []*Signal // due after each Note; FireAll fires them
}

// Register makes sig fire when the result of q may change, until cancel is called.
func (w *List) Register(sig *Signal, q Watchable) (cancel func()) {
	w.n.Add(1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fresh = append(w.fresh, sig)
	if q.Watch(w, sig) {
		w.every = append(w.every, sig)
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		q.Unwatch(w, sig)
		is := func(s *Signal) bool { return s == sig }
		w.fresh, w.due = slices.DeleteFunc(w.fresh, is), slices.DeleteFunc(w.due, is)
		w.every = slices.DeleteFunc(w.every, is)
		w.n.Add(-1)
	}
}

// Watchable is a query that can be watched. The List calls both methods under its lock.
type Watchable interface {
	// Watch makes the signal fire when the result may change. It returns true if the signal
	// must fire at each write instead.
	Watch(*List, *Signal) (all bool)
	// Unwatch undoes Watch.
	Unwatch(*List, *Signal)
}

// Note marks signals as due: those that fire at each write, and those that each passes to fire.
func (w *List) Note(each func(fire func(*Signal))) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fire := func(s *Signal) {
		if !s.due {
			s.due = true
			w.due = append(w.due, s)
		}
	}
	for _, s := range w.every {
		fire(s)
	}
	each(fire)
}

// Fire fires the due signals, and those that were registered during the write, because their
// watchers may have seen the state before it. Call it after the write is published.
func (w *List) Fire() {
	if !w.Watched() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.due {
		s.due = false
		s.fire()
	}
	for _, s := range w.fresh {
		s.fire()
	}
	clear(w.due) // so that the List does not keep signals
	clear(w.fresh)
	w.due, w.fresh = w.due[:0], w.fresh[:0]
}

// FireAll fires the signals that fire at each write, without Note. Without watchers it costs one
// load.
func (w *List) FireAll() {
	if !w.Watched() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.every {
		s.fire()
	}
}

// ByValue has the watchers of one index. It is guarded by the lock of the List.
type ByValue[V comparable] struct {
	byValue map[V][]*Signal
	any     map[*Signal]struct{} // watchers of all values
}

// Add makes sig fire for value.
func (w *ByValue[V]) Add(value V, sig *Signal) {
	if value != value {
		return // NaN: no object is indexed under it, and Drop would not find it
	}
	if w.byValue == nil {
		w.byValue = map[V][]*Signal{}
	}
	w.byValue[value] = append(w.byValue[value], sig)
}

// Drop undoes Add.
func (w *ByValue[V]) Drop(value V, sig *Signal) {
	left := slices.DeleteFunc(w.byValue[value], func(s *Signal) bool { return s == sig })
	if len(left) == 0 {
		delete(w.byValue, value)
	} else {
		w.byValue[value] = left
	}
}

// AddAll makes sig fire for all values.
func (w *ByValue[V]) AddAll(sig *Signal) {
	if w.any == nil {
		w.any = map[*Signal]struct{}{}
	}
	w.any[sig] = struct{}{}
}

// Each calls fire with the watchers of values, possibly several times with one signal.
func (w *ByValue[V]) Each(values []V, fire func(*Signal)) {
	for _, v := range values {
		for _, s := range w.byValue[v] {
			fire(s)
		}
		for s := range w.any {
			fire(s)
		}
	}
}

// DropAny undoes AddAll.
func (w *ByValue[V]) DropAny(sig *Signal) { delete(w.any, sig) }

// Watched reports whether there is a watcher.
func (w *List) Watched() bool { return w.n.Load() > 0 }
