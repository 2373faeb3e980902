// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package queue_test

import (
	"testing"
	"testing/synctest"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
)

// lateKnown returns an object from before a pause: Get reads it, calls pause, and then returns it.
type lateKnown struct {
	*known
	pause func()
}

func (k lateKnown) Get(key string) (thing, bool) {
	t, ok := k.known.Get(key)
	if k.pause != nil {
		k.pause()
	}
	return t, ok
}

// A delete reads KnownObjects while the consumer processes an earlier delete of the object. The
// outdated read must not queue a second Deleted, and the record of processed deltas must not
// outlive the reads.
func TestDeleteBesideAnotherDelete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &lateKnown{known: newKnown(thing{"a", 1})}
		q := newQueue(store)
		apply := func(b *batch) error { store.apply(t, b); return nil }
		must(t, q.Delete(bg, thing{"a", 1}))
		popped, others := false, make(chan error, 2)
		store.pause = func() {
			store.pause = nil // of the first reader only
			go func() { others <- q.Delete(bg, thing{"unknown", 1}) }()
			synctest.Wait() // a second reader begins and ends meanwhile
			must(t, q.Pop(bg, apply))
			popped = true
		}
		must(t, q.Delete(bg, thing{"a", 2}))
		must(t, <-others)
		if !popped || q.Len() != 0 {
			t.Fatalf("popped the first delete: %v; %d pending after the second", popped, q.Len())
		}
		must(t, q.Add(bg, thing{"a", 3}))
		must(t, q.Pop(bg, apply))
		must(t, q.Delete(bg, thing{"a", 4}))
		if q.Len() != 1 {
			t.Error("the delete of an object that was added again is dropped")
		}
	})
}

// A consumer need not keep the objects that it processes. KnownObjects decides whether a later delete
// is queued, not the deltas that were processed before it is read.
func TestDeleteOfObjectThatConsumerDropped(t *testing.T) {
	q := newQueue(newKnown())
	for range 2 {
		must(t, q.Add(bg, thing{"a", 1}))
		popAll(t, q, nil)
		must(t, q.Delete(bg, thing{"a", 2}))
		if q.Len() != 0 {
			t.Fatal("the delete of an unknown object is queued")
		}
	}
}

// A Stale has no object. If the object vanishes from the next list, its Deleted has the state before
// the Stale.
func TestVanishedAfterStale(t *testing.T) {
	q := newQueue(nil)
	must(t, q.Add(bg, thing{"a", 1}))
	must(t, q.Update(bg, thing{"a", 2}))
	must(t, q.Push(bg, thingDelta{Type: delta.Stale, Key: "a", NoObject: true}, ""))
	must(t, q.Push(bg, thingDelta{Type: delta.Deleted, Key: "b", NoObject: true}, ""))
	must(t, q.Replace(bg, batch{Deltas: []thingDelta{{Type: delta.Stale, NoObject: true, Key: "c"}}}))
	got := ""
	for _, b := range popAll(t, q, nil) {
		got += show(b.Deltas) + ";"
	}
	if want := "Added a1, Updated a2, Stale a, Deleted? a2;Deleted b;Stale c;"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Nor has a Stale that is pending alone, or being processed. Then the state that is known counts, if any.
func TestVanishedAfterStaleAlone(t *testing.T) {
	stale := func(key string) thingDelta { return delta.WithKey[string, thing](delta.Stale, key) }
	for _, store := range []queue.KnownObjects[string, thing]{newKnown(thing{"a", 1}, thing{"b", 2}), nil} {
		q := newQueue(store)
		must(t, q.Push(bg, stale("b"), ""))
		must(t, q.Push(bg, stale("a"), ""))
		must(t, q.Pop(bg, func(*batch) error { return q.Replace(bg, batch{}) }))
		got := ""
		for _, b := range popAll(t, q, nil) {
			got += show(b.Deltas) + ";"
		}
		want := "Stale a, Deleted? a1;Deleted? b2;"
		if store == nil {
			want = "Stale a, Deleted? a;"
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestResync(t *testing.T) {
	q := newQueue(newKnown(thing{"a", 1}))
	for range 2 { // the second resync finds the first one pending
		must(t, q.Resync())
	}
	for range 2 { // and repeats after the first resync is processed
		must(t, q.Pop(bg, func(b *batch) error {
			if got := show(b.Deltas); got != "Sync a1" {
				t.Errorf("got %q", got)
			}
			return nil
		}))
		must(t, q.Resync())
	}
	without := newQueue(nil)
	must(t, without.Resync())
	without.Close()
	if err := without.Pop(bg, func(*batch) error { return nil }); err != queue.ErrClosed {
		t.Errorf("a resync without KnownObjects queues a batch: %v", err)
	}
}

// A resync repeats the state that is being processed, or that was processed while the resync read the older state.
func TestResyncDuringProcessing(t *testing.T) {
	for name, resync := range map[string]func(store *lateKnown, resync, finish func()){
		"before the state is known": func(_ *lateKnown, resync, finish func()) { resync(); finish() },
		"while it becomes known":    func(store *lateKnown, resync, finish func()) { store.pause = finish; resync() },
	} {
		store := &lateKnown{known: newKnown(thing{"a", 1})}
		q := newQueue(store)
		must(t, q.Update(bg, thing{"a", 2}))
		began, known, popped := make(chan struct{}), make(chan struct{}), make(chan error)
		go func() {
			popped <- q.Pop(bg, func(b *batch) error {
				close(began)
				<-known
				store.apply(t, b)
				return nil
			})
		}()
		<-began
		resync(store, func() { must(t, q.Resync()) }, func() { close(known); must(t, <-popped) })
		var repeated []thingDelta
		for _, b := range popAll(t, q, nil) {
			repeated = append(repeated, b.Deltas...)
		}
		if got := show(repeated); got != "Sync a2" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
