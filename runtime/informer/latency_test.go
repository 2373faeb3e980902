// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// reluctant is an inbox that takes a second to say what comes next, whenever it says that it
// has waited.
type reluctant struct {
	inbox[pod]
	calls int
}

func (b *reluctant) next() (c change[pod], inInitialList, ok bool) {
	if b.calls == 6 {
		return c, false, false
	}
	b.calls++
	if b.waited() {
		time.Sleep(time.Second)
	}
	return change[pod]{new: &metav1.PartialObjectMetadata{}, kind: added}, false, true
}

func (b *reluctant) waited() bool { return b.calls%2 == 0 }
func (b *reluctant) settle()      {}

// How long a handler's calls take does not include what it takes to find out what to call
// it with.
func TestLatencyIsThatOfTheHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inf := New[pod](schema.GroupVersionResource{}, nil, store.ForObjects[pod]())
		l := newListener[pod](inf, HandlerFuncs[pod]{AddFunc: func(pod, bool) { time.Sleep(time.Minute) }}, handlerOptions{})
		l.inbox = &reluctant{}
		r := &run{ctx: context.Background()}
		if !l.drain(shift{run: r}) {
			t.Error("not idle")
		}
		if d := l.timings.calls.Distribution(); d.Count() != 6 || d.Sum != 6*time.Minute {
			t.Errorf("%d calls took %v", d.Count(), d.Sum)
		}
	})
}

// An inbox says that it has waited when it had to read a snapshot, or somebody else held
// what it needed; not when the next call was at hand.
func TestInboxSaysThatItHasWaited(t *testing.T) {
	held := store.ForObjects[pod]()
	objs := []pod{named("a"), named("b")}
	if err := held.Replace(objs, "1"); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]inbox[pod]{
		"lossless":   newLossless[pod](10, newClock(), func() {}),
		"coalescing": newCoalescing[pod](newClock(), func() {}),
	} {
		b.replay(held.Reader().Snapshot(), true, true)
		for n, want := range []bool{true, false} {
			if _, _, ok := b.next(); !ok || b.waited() != want {
				t.Errorf("%s: call %d: %v, waited %v", name, n, ok, b.waited())
			}
		}
	}
	b := newCoalescing[pod](newClock(), func() {})
	for held := time.Microsecond; !b.waited(); held *= 2 { // until it has been asked meanwhile
		b.put([]change[pod]{{new: objs[0], kind: added}, {new: objs[1], kind: added}}, false, false, false, false)
		var asked sync.WaitGroup
		b.mu.Lock()
		asked.Go(func() { b.next() })
		time.Sleep(held)
		b.mu.Unlock()
		asked.Wait()
	}
	if b.next(); b.waited() {
		t.Error("an entry was at hand, and it says that it has waited")
	}
}

func named(name string) pod {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name}}
}
