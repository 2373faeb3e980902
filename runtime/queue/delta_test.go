// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package queue_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// show writes deltas as "Added a1, Deleted? b": type, "?" if the final state is
// unknown, key and state.
func show(ds []thingDelta) string {
	text := ""
	for i, d := range ds {
		if i > 0 {
			text += ", "
		}
		text += d.Type.String()
		if d.FinalStateUnknown {
			text += "?"
		}
		text += " " + d.Key
		if !d.NoObject {
			text += fmt.Sprint(d.Object.state)
		}
	}
	return text
}

func TestDeltaFIFOKeepsHistory(t *testing.T) {
	store := newKnown(thing{"b", 0})
	q := newQueue(store)
	must(t, q.Add(bg, thing{"a", 1}))
	must(t, q.Delete(bg, thing{"b", 1}))
	must(t, q.Update(bg, thing{"a", 2}))
	must(t, q.Delete(bg, thing{"a", 3}))
	must(t, q.Delete(bg, thing{"a", 4}))       // merges
	must(t, q.Delete(bg, thing{"unknown", 1})) // is nothing
	must(t, q.Add(bg, thing{"a", 5}))
	var got []string
	for _, b := range popAll(t, q, nil) {
		got = append(got, show(b.Deltas))
	}
	want := []string{"Added a1, Updated a2, Deleted a4, Added a5", "Deleted b1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMergedDeletesKeepTheFinalState(t *testing.T) {
	q := newQueue(newKnown(thing{"a", 0}, thing{"b", 0}))
	for _, d := range []thingDelta{
		{Type: delta.Deleted, Key: "a", Object: thing{"a", 7}},
		{Type: delta.Deleted, Key: "b", NoObject: true},
		{Type: delta.Deleted, Key: "a", Object: thing{"a", 1}, FinalStateUnknown: true},
		{Type: delta.Deleted, Key: "a", NoObject: true},
		{Type: delta.Deleted, Key: "b", Object: thing{"b", 8}},
	} {
		must(t, q.Push(bg, d, ""))
	}
	got := ""
	for _, b := range popAll(t, q, nil) {
		got += show(b.Deltas) + ";"
	}
	if got != "Deleted a7;Deleted b8;" {
		t.Errorf("got %q", got)
	}
	for state := range 2 {
		must(t, q.Delete(bg, thing{"a", state}))
	}
	if got := show(popAll(t, q, nil)[0].Deltas); got != "Deleted a1" {
		t.Errorf("two deletes of one object became %q", got)
	}
}

func TestReplaceFindsWhatVanished(t *testing.T) {
	for name, test := range map[string]struct {
		known *known
		want  string
	}{
		"without known objects": {nil, "Added b1, Deleted? b1;Added c1, Deleted c2;Stale kept, Stale kept;Replaced a9;"},
		"with known objects":    {newKnown(thing{"z", 1}, thing{"kept", 1}), "Added b1, Deleted? b1;Added c1, Deleted c2;Stale kept, Stale kept;Deleted? z1;Replaced a9;"},
	} {
		t.Run(name, func(t *testing.T) {
			q := newQueue(nil)
			if test.known != nil {
				q = newQueue(test.known)
			}
			must(t, q.Add(bg, thing{"b", 1}))
			must(t, q.Add(bg, thing{"c", 1}))
			must(t, q.Push(bg, thingDelta{Type: delta.Stale, Key: "kept", NoObject: true}, ""))
			must(t, q.Delete(bg, thing{"c", 2}))
			must(t, q.Replace(bg, batch{Deltas: []thingDelta{
				{Type: delta.Replaced, Key: "a", Object: thing{"a", 9}}, {Type: delta.Stale, Key: "kept", NoObject: true},
			}}))
			got := ""
			for _, b := range popAll(t, q, func(b *batch) {
				if test.known != nil {
					test.known.apply(t, b)
				}
			}) {
				got += show(b.Deltas) + ";"
			}
			if got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// Without KnownObjects, the queue cannot tell whether the consumer had an object, so it drops no
// Deleted.
func TestDeltaFIFOWithoutKnownKeepsDeletes(t *testing.T) {
	q := newQueue(nil)
	must(t, q.Add(bg, thing{"a", 1}))
	got := ""
	for range 2 {
		for _, b := range popAll(t, q, nil) {
			got += show(b.Deltas) + ";"
		}
		must(t, q.Delete(bg, thing{"a", 2}))
		must(t, q.Push(bg, thingDelta{Type: delta.Deleted, Key: "b", NoObject: true}, ""))
	}
	if got != "Added a1;Deleted a2;Deleted b;" {
		t.Errorf("got %s", got)
	}
}

// An object that is being processed is not pending, and Known may not reflect it yet. Writes
// must take it into account.
func TestWritesDuringProcessing(t *testing.T) {
	store := newKnown(thing{"gone", 1})
	q := newQueue(store)
	must(t, q.Add(bg, thing{"new", 1}))
	must(t, q.Pop(bg, func(b *batch) error { // "new" is not known yet
		must(t, q.Replace(bg, listOf(thing{"gone", 1})))
		store.apply(t, b)
		return nil
	}))
	got := ""
	for _, b := range popAll(t, q, nil) {
		got += show(b.Deltas) + ";"
		store.apply(t, &b)
	}
	if got != "Deleted? new1;Replaced gone1;" {
		t.Errorf("got %q", got)
	}
	must(t, q.Delete(bg, thing{"gone", 2}))
	must(t, q.Pop(bg, func(b *batch) error { // "gone" is still known
		must(t, q.Replace(bg, batch{}))
		must(t, q.Resync())
		must(t, q.Delete(bg, thing{"gone", 3}))
		store.apply(t, b)
		return nil
	}))
	if n := q.Len(); n != 0 {
		t.Errorf("%q is pending after its deletion was processed", show(popAll(t, q, nil)[0].Deltas))
	}
}

func TestHasSynced(t *testing.T) {
	q := newQueue(newKnown(make5()[0]))
	must(t, q.Resync()) // is no beginning, though it makes something pending
	if q.HasSynced() {
		t.Error("synced before anything was written")
	}
	must(t, q.Replace(bg, listOf(make5()...)))
	must(t, q.Add(bg, thing{"later", 1}))
	for !q.HasSynced() {
		must(t, q.Pop(bg, func(b *batch) error {
			if q.HasSynced() {
				t.Error("synced while the first list is being processed")
			}
			return nil
		}))
	}
	if q.Len() != 1 {
		t.Errorf("%d pending when synced, want the 1 that came later", q.Len())
	}
	select {
	case <-q.Synced():
	default:
		t.Error("Synced is open")
	}
	empty := newQueue(nil)
	must(t, empty.Replace(bg, batch{}))
	if !empty.HasSynced() {
		t.Error("not synced after an empty list")
	}
	unlisted := newQueue(nil)
	must(t, unlisted.Add(bg, thing{"a", 1}))
	if !unlisted.HasSynced() {
		t.Error("waits for a list though writes have begun without")
	}
}

// A list keeps its deltas in order, also several of one object.
func TestReplaceKeepsItsDeltas(t *testing.T) {
	q := newQueue(nil)
	must(t, q.Replace(bg, batch{Deltas: []thingDelta{
		{Type: delta.Replaced, Key: "b", Object: thing{"b", 2}},
		{Type: delta.Stale, Key: "b", NoObject: true},
		{Type: delta.Kept, Key: "c", NoObject: true},
		{Type: delta.Replaced, Key: "a", Object: thing{"a", 1}},
	}}))
	var got []string
	for _, b := range popAll(t, q, nil) {
		got = append(got, show(b.Deltas))
	}
	if all := strings.Join(got, ", "); all != "Replaced b2, Stale b, Kept c, Replaced a1" {
		t.Errorf("got %s", all)
	}
}

func TestProcessPanics(t *testing.T) {
	q := newQueue(nil)
	must(t, q.Add(bg, thing{"a", 1}))
	func() {
		defer func() { _ = recover() }()
		_ = q.Pop(bg, func(*batch) error { panic("x") })
	}()
	if got := popAll(t, q, nil); len(got) != 1 {
		t.Error("what a process function panicked on is lost")
	}
}

func TestProcessErrorIsReturned(t *testing.T) {
	q := newQueue(nil)
	must(t, q.Add(bg, thing{"a", 1}))
	mine := errors.New("mine")
	if err := q.Pop(bg, func(*batch) error { return mine }); !errors.Is(err, mine) || q.Len() != 0 {
		t.Errorf("got %v, %d pending", err, q.Len())
	}
}
