// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package hub

import (
	"runtime"
	"testing"
	"weak"

	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A handler that was removed holds what it is called with, until the call returns, and nothing that was pending.
func TestRemovedHandlerHoldsNothing(t *testing.T) {
	for _, coalesce := range []bool{false, true} {
		held := store.ForObjects[pod]()
		h := New(Config[pod]{Objects: held.Reader()})
		var done waitgroup.Group
		h.Start(t.Context(), &done)
		called, release := make(chan string, 9), make(chan struct{})
		l := h.Add(Options[pod]{
			Settings: Settings{Buffer: 10, Coalesce: coalesce},
			Call:     func(c store.Change[pod], _ bool) { called <- c.New.Name; <-release },
		})
		add := func(name string) weak.Pointer[metav1.PartialObjectMetadata] {
			obj := named(name)
			if err := h.Begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := held.Set(obj); err != nil {
				t.Error(err)
			}
			h.Deliver(Delivery[pod]{Changes: []store.Change[pod]{{New: obj, Type: store.Added}}})
			return weak.Make(obj)
		}
		a := add("a")
		<-called
		b := add("b")
		if err := held.Replace(nil, "1"); err != nil {
			t.Fatal(err)
		}
		ended := l.Remove()
		if runtime.GC(); b.Value() != nil {
			t.Errorf("coalesce %v: what was pending is held during the call", coalesce)
		}
		close(release)
		<-ended
		if runtime.GC(); a.Value() != nil {
			t.Errorf("coalesce %v: something is held after the last call", coalesce)
		}
		if s := l.Stats(); s.Pending != 0 || s.Oldest != 0 {
			t.Errorf("coalesce %v: %d are pending after the last call", coalesce, s.Pending)
		}
		runtime.KeepAlive(l)
		done.Wait()
	}
}

// A handler that ends its goroutine did not panic.
func TestGoexitIsNoPanic(t *testing.T) {
	held := store.ForObjects[pod]()
	h := New(Config[pod]{Objects: held.Reader(), OnPanic: func(string, any, []byte) { t.Error("OnPanic was called") }})
	var done waitgroup.Group
	h.Start(t.Context(), &done)
	l := h.Add(Options[pod]{Call: func(store.Change[pod], bool) { runtime.Goexit() }})
	if err := h.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.Deliver(Delivery[pod]{Changes: []store.Change[pod]{{New: named("a"), Type: store.Added}}})
	done.Wait()
	if n := l.Stats().Panics; n != 0 {
		t.Errorf("%d panics", n)
	}
}
