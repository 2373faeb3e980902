// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package hub

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// A resync that is due while a batch is applied comes before the batch. The handler does not wait for the batch: it can
// be removed.
func TestResyncDuringBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		held := store.ForObjects[pod]()
		h := New(Config[pod]{Objects: held.Reader()})
		var done waitgroup.Group
		h.Start(t.Context(), &done)
		deliver := func(write func() Delivery[pod]) {
			if err := h.Begin(t.Context()); err != nil {
				t.Error(err)
			}
			h.Deliver(write())
		}
		deliver(func() Delivery[pod] {
			if err := held.Replace([]pod{named("a")}, "1"); err != nil {
				t.Error(err)
			}
			return Delivery[pod]{Last: true}
		})

		counts := make([]int, 2)
		listeners := make([]*Listener[pod], 2)
		for i := range listeners {
			listeners[i] = h.Add(Options[pod]{
				Settings: Settings{Resync: time.Minute, Coalesce: i == 1, Buffer: 1},
				Call:     func(store.Change[pod], bool) { counts[i]++ },
			})
		}
		synctest.Wait()
		deliver(func() Delivery[pod] {
			b := named("b")
			if err := held.Set(b); err != nil {
				t.Error(err)
			}
			time.Sleep(90 * time.Second)
			synctest.Wait()
			if counts[0] != 2 || counts[1] != 2 {
				t.Errorf("calls while a batch is applied: %d, want a resync of one object each", counts)
			}
			return Delivery[pod]{Changes: []store.Change[pod]{{New: b, Type: store.Added}}}
		})
		synctest.Wait()
		if counts[0] != 3 || counts[1] != 3 {
			t.Errorf("calls after the batch: %d", counts)
		}
		deliver(func() Delivery[pod] {
			time.Sleep(time.Minute)
			for _, l := range listeners {
				ended := l.Remove()
				synctest.Wait()
				if !ctxsync.IsClosed(ended) {
					t.Error("a handler cannot be removed while a batch is applied")
				}
			}
			return Delivery[pod]{}
		})
	})
}
