// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

type pod = *metav1.PartialObjectMetadata

// reluctant is an inbox that takes a second to say what comes next, whenever it says that it
// has waited.
type reluctant struct {
	inbox.Inbox[pod]
	calls int
}

func (b *reluctant) Next() (c inbox.Change[pod], inInitialList, ok bool) {
	if b.calls == 6 {
		return c, false, false
	}
	b.calls++
	if b.Waited() {
		time.Sleep(time.Second)
	}
	return inbox.Change[pod]{New: &metav1.PartialObjectMetadata{}, Type: queue.Added}, false, true
}

func (b *reluctant) Waited() bool { return b.calls%2 == 0 }
func (b *reluctant) Settle()      {}

// How long a handler's calls take does not include what it takes to find out what to call
// it with.
func TestLatencyIsThatOfTheHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inf := New[pod](schema.GroupVersionResource{}, nil, store.ForObjects[pod]())
		l := newListener[pod](
			inf,
			HandlerFuncs[pod]{AddFunc: func(pod, bool) { time.Sleep(time.Minute) }},
			handlerOptions{},
		)
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

// A change that comes alone is in the store, and with the handlers, when Push returns. One that
// comes right after it, and one that comes when a handler is full, is queued.
func TestLoneChangeIsNotQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inf := New[pod](schema.GroupVersionResource{}, nil, store.ForObjects[pod]())
		l := newListener[pod](inf, HandlerFuncs[pod]{}, handlerOptions{buffer: 2})
		inf.enlist(l)
		p := &reading[pod]{source: newSource[pod](inf, "", nil), ctx: t.Context(), InOrder: queue.NewInOrder(
			queue.Config[types.NamespacedName, pod]{Key: queue.ObjectKey[pod]})}
		push := func(name string, queued int) {
			t.Helper()
			obj := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name}}
			d := delta[pod]{Type: queue.Added, Key: store.KeyOf(obj), Object: obj}
			if err := p.Push(t.Context(), d, ""); err != nil {
				t.Fatal(err)
			}
			if _, stored := inf.Store().Reader().Get(d.Key); p.Len() != queued || stored == (queued > 0) {
				t.Errorf("%s: %d are queued, want %d; in the store: %v", name, p.Len(), queued, stored)
			}
		}
		time.Sleep(time.Second)
		push("alone", 0)
		push("at once", 1)
		time.Sleep(time.Second)
		push("behind it", 2)
		_ = p.Pop(t.Context(), func(b *deltas[pod]) error { // without waiting for the handler
			_ = inf.turn.Lock(t.Context())
			p.processLocked(b)
			return nil
		})
		time.Sleep(time.Second)
		push("when the handler is full", 1)
	})
}
