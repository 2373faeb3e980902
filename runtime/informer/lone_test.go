// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type pod = *metav1.PartialObjectMetadata

// A change that comes alone is in the store, and with the handlers, when Push returns. One that
// comes right after it, and one that comes when a handler is full, is queued.
func TestLoneChangeIsNotQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[pod]()
		i := New(schema.GroupVersionResource{}, new(sourcetest.Script[pod]).Source(), s)
		i.AddEventHandler(HandlerFuncs[pod]{}, WithBuffer(2))
		p := newFeed(t.Context(), i.parts[0])
		push := func(name string, queued int) {
			t.Helper()
			obj := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name}}
			d := source.Delta[pod]{Type: delta.Added, Key: store.KeyOf(obj), Object: obj}
			if err := p.Push(t.Context(), d, ""); err != nil {
				t.Fatal(err)
			}
			if _, stored := s.Reader().Get(d.Key); p.buffer.pendingWeight != queued || stored == (queued > 0) {
				t.Errorf("%s: %d are queued, want %d; in the store: %v", name, p.buffer.pendingWeight, queued, stored)
			}
		}
		time.Sleep(time.Second)
		push("alone", 0)
		push("at once", 1)
		time.Sleep(time.Second)
		push("behind it", 2)
		ended, end := context.WithCancel(t.Context())
		p.ctx = ended
		time.AfterFunc(time.Second, end) // the handler is not called, so its inbox stays full
		if err := p.applyAndDeliver(p.buffer.takeRecyclingPrevious(t.Context())); err != nil {
			t.Error(err)
		}
		p.ctx = t.Context()
		time.Sleep(time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		p.buffer.takeRecyclingPrevious(ctx) // what was taken has been applied
		push("when the handler is full", 1)
	})
}
