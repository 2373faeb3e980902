// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package shard_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// What belongs to another shard does not revive the watchdog of the WatchList, which is
// over.
func TestLeftOutEventDoesNotEndAHealthyWatch(t *testing.T) {
	needFields(t)
	synctest.Test(t, func(t *testing.T) {
		r := of(t, 1, 3)
		in, out := uids(r)
		src := new(sourcetest.Script[*object]).Watches(sourcetest.Stream(
			sourcetest.Added(named("a", "2", in)), sourcetest.InitialEventsEnd[*object]("5"),
			sourcetest.Added(named("b", "6", out)), // another shard's
			sourcetest.Hang[*object](),
		), sourcetest.Stream(sourcetest.Hang[*object]()))
		inf := informer.New(
			schema.GroupVersionResource{Resource: "widgets"},
			shard.Only(src.Source(), r),
			store.ForObjects[*object](),
		)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := inf.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if err := inf.LastError(); err != nil {
			t.Errorf("the watch was well: %v", err)
		}
		if n := len(src.Requests()); n != 1 {
			t.Errorf("%d requests in a minute, want 1", n)
		}
	})
}
