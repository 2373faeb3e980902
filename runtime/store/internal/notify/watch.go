// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package notify wakes goroutines that wait for a store to change.
package notify

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
)

// Signal wakes one watcher, which receives from it.
type Signal struct {
	ctxsync.Signal
	isDue bool // guarded by List.mu
}

// NewSignal returns a signal that has not fired.
func NewSignal() *Signal { return &Signal{Signal: ctxsync.NewSignal()} }

// List has the watchers of a store. The zero value is an empty list. All methods are safe for
// concurrent use. Reads of the store do not lock it.
type List struct {
	watcherCount        atomic.Int64 // the number of watchers
	mu                  sync.Mutex
	registeredSinceFire []*Signal // registered since the last Fire
	dueSignals          []*Signal // to fire at the next Fire
	everyWrite          []*Signal // due after each Note; FireAll fires them
}

// Register makes sig fire when the result of q may change, until cancel is called.
func (w *List) Register(sig *Signal, q Watchable) (cancel func()) {
	w.watcherCount.Add(1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.registeredSinceFire = append(w.registeredSinceFire, sig)
	unwatch := q.Watch(w, sig)
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		unwatch()
		w.registeredSinceFire, w.dueSignals = removeSignalInPlace(w.registeredSinceFire, sig), removeSignalInPlace(w.dueSignals, sig)
		w.watcherCount.Add(-1)
	}
}

// Watchable is a query that can be watched.
type Watchable interface {
	// Watch makes the signal fire when the result may change, until unwatch is called. The List calls both under
	// its lock.
	Watch(*List, *Signal) (unwatch func())
}

// Every makes sig fire at each write. It is for a Watchable whose result any write may change.
func (w *List) Every(sig *Signal) (unwatch func()) {
	w.everyWrite = append(w.everyWrite, sig)
	return func() { w.everyWrite = removeSignalInPlace(w.everyWrite, sig) }
}

// removeSignalInPlace removes sig from all, which it changes.
func removeSignalInPlace(all []*Signal, sig *Signal) []*Signal {
	return slices.DeleteFunc(all, func(s *Signal) bool { return s == sig })
}

// Note marks signals as due: those that fire at each write, and those that each passes to fire.
func (w *List) Note(each func(fire func(*Signal))) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fire := func(s *Signal) {
		if !s.isDue {
			s.isDue = true
			w.dueSignals = append(w.dueSignals, s)
		}
	}
	for _, s := range w.everyWrite {
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
	for _, s := range w.dueSignals {
		s.isDue = false
		s.Raise()
	}
	for _, s := range w.registeredSinceFire {
		s.Raise()
	}
	clear(w.dueSignals) // so that the List does not keep signals
	clear(w.registeredSinceFire)
	w.dueSignals, w.registeredSinceFire = w.dueSignals[:0], w.registeredSinceFire[:0]
}

// FireAll fires the signals that fire at each write, without Note. Without watchers it costs one
// load.
func (w *List) FireAll() {
	if !w.Watched() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.everyWrite {
		s.Raise()
	}
}

// ByValue has the watchers of one index. It is guarded by the lock of the List.
type ByValue[V comparable] struct {
	byValue  map[V][]*Signal
	anyValue []*Signal // of all values
}

// Add makes sig fire for value.
func (w *ByValue[V]) Add(value V, sig *Signal) (unwatch func()) {
	if value != value {
		return func() {} // NaN: no object is indexed under it, and unwatch would not find it
	}
	if w.byValue == nil {
		w.byValue = map[V][]*Signal{}
	}
	w.byValue[value] = append(w.byValue[value], sig)
	return func() {
		if w.byValue[value] = removeSignalInPlace(w.byValue[value], sig); len(w.byValue[value]) == 0 {
			delete(w.byValue, value)
		}
	}
}

// AddAll makes sig fire for all values.
func (w *ByValue[V]) AddAll(sig *Signal) (unwatch func()) {
	w.anyValue = append(w.anyValue, sig)
	return func() { w.anyValue = removeSignalInPlace(w.anyValue, sig) }
}

// Each calls fire with the watchers of values, possibly several times with one signal.
func (w *ByValue[V]) Each(values []V, fire func(*Signal)) {
	for _, v := range values {
		for _, s := range w.byValue[v] {
			fire(s)
		}
		for _, s := range w.anyValue {
			fire(s)
		}
	}
}

// Watched reports whether there is a watcher.
func (w *List) Watched() bool { return w.watcherCount.Load() > 0 }
