// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
)

// Watch yields a snapshot of the store now, and a newer one whenever the
// objects under value may have changed since: one came, went, or was written.
// Several changes while the loop is busy make one snapshot.
//
//	for r := range byNode.Watch(ctx, store.Reader(), "node-7") {
//		for p := range byNode.Of(r, "node-7") { … }
//	}
//
// It ends with ctx or with the loop, and leaves nothing behind. Writers pay a
// load while nobody watches anything in the store, and a look-up for each index
// value that they write while somebody does. A frozen reader is yielded once.
func (ix Index[K, T, V]) Watch(ctx context.Context, r Reader[K, T], value V) iter.Seq[Reader[K, T]] {
	return ix.Is(value).Watch(ctx, r)
}

// Watch yields a snapshot of the store now, and a newer one whenever the answer
// to q may have changed, as [Index.Watch] does.
func (q Query[K, T]) Watch(ctx context.Context, r Reader[K, T]) iter.Seq[Reader[K, T]] {
	return func(yield func(Reader[K, T]) bool) {
		if r.s == nil || r.at != nil {
			if ctx.Err() == nil {
				yield(r)
			}
			return
		}
		if q.node == nil {
			q = AnyOf[K, T]()
		}
		sig := &signal{ch: make(chan struct{}, 1)}
		defer r.s.watch.register(sig, q.node)()
		for ctx.Err() == nil {
			// Registered first, seen second: what is published in between is
			// in the snapshot, and fires as well.
			if !yield(r.Snapshot()) {
				return
			}
			select {
			case <-sig.ch:
			case <-ctx.Done():
			}
		}
	}
}

// signal wakes one watcher.
type signal struct {
	ch  chan struct{} // of one, so that firing never waits
	due bool          // guarded by watchList.mu
}

func (s *signal) fire() {
	select {
	case s.ch <- struct{}{}:
	default:
	}
}

// watchList has the watchers of a store. Its lock is held for moments, and is
// not one that readers of the store take.
type watchList struct {
	n     atomic.Int64 // how many watchers there are
	mu    sync.Mutex
	fresh []*signal // came since the last write was published
	due   []*signal // to be fired once the write is published
	every []*signal // to be fired by each write
}

// register has sig fire when the answer of q may change; the function that it
// returns ends that.
func (w *watchList) register(sig *signal, q watchable) (cancel func()) {
	w.n.Add(1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fresh = append(w.fresh, sig)
	if q.watch(w, sig) {
		w.every = append(w.every, sig)
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		q.unwatch(w, sig)
		is := func(s *signal) bool { return s == sig }
		w.fresh, w.due = slices.DeleteFunc(w.fresh, is), slices.DeleteFunc(w.due, is)
		w.every = slices.DeleteFunc(w.every, is)
		w.n.Add(-1)
	}
}

// watchable is a query as watching goes. Both methods are called under the lock of
// the watchList, which is that of the store that is asked.
type watchable interface {
	// watch has the signal fire when the answer may change. If it cannot tell which
	// writes these are, it returns true, for all of them.
	watch(*watchList, *signal) (all bool)
	// unwatch undoes watch.
	unwatch(*watchList, *signal)
}

// isOf reports whether x is an index of the store that w is of, so that what is noted
// of it is noted there. Of another store it says which objects answer a query, by asking
// its function about each, and hears of no write.
func (x *index[K, T, V]) isOf(w *watchList) bool { return w == &x.store.watch }

// note makes due who watches everything, and those that each calls fire with.
func (w *watchList) note(each func(fire func(*signal))) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fire := func(s *signal) {
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

// fire wakes those whose answer a write has changed, and those who came while
// it was under way and may have seen the state before it.
func (w *watchList) fire() {
	if w.n.Load() == 0 {
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
	clear(w.due)
	clear(w.fresh)
	w.due, w.fresh = w.due[:0], w.fresh[:0]
}

// watchers are those of one index, guarded by the lock of the watchList.
type watchers[V comparable] struct {
	byValue map[V][]*signal
	any     map[*signal]struct{} // who watches all values
}

func (w *watchers[V]) add(value V, sig *signal) {
	if value != value {
		return // no object is under it, and it could not be dropped
	}
	if w.byValue == nil {
		w.byValue = map[V][]*signal{}
	}
	w.byValue[value] = append(w.byValue[value], sig)
}

func (w *watchers[V]) drop(value V, sig *signal) {
	left := slices.DeleteFunc(w.byValue[value], func(s *signal) bool { return s == sig })
	if len(left) == 0 {
		delete(w.byValue, value)
	} else {
		w.byValue[value] = left
	}
}

// addAll has sig fire for all values.
func (w *watchers[V]) addAll(sig *signal) {
	if w.any == nil {
		w.any = map[*signal]struct{}{}
	}
	w.any[sig] = struct{}{}
}

func (w *watchers[V]) each(values []V, fire func(*signal)) {
	for _, v := range values {
		for _, s := range w.byValue[v] {
			fire(s)
		}
		for s := range w.any {
			fire(s)
		}
	}
}
