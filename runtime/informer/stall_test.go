// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// stalling is a source whose lists bring nothing.
func stalling() *sourcetest.Script[*object] {
	src := &sourcetest.Script[*object]{NoWatchList: true}
	for range 100 {
		src.Lists(sourcetest.ListHang[*object]())
	}
	return src
}

// TestWaitForSyncDuringAList: the error of a wait says that a list has brought nothing yet.
func TestWaitForSyncDuringAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inf := newInformer(stalling(), informer.WithName("blue"))
		start(t, inf)
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		err := inf.WaitForSync(ctx)
		const want = "informer of widgets.example.com/v1 (blue) has not synced: context deadline exceeded; listing; no error so far"
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	})
}

// TestListStallCutsAList: a list is cut after ListStall, and tried again.
func TestListStallCutsAList(t *testing.T) {
	for _, c := range []struct {
		stall time.Duration
		want  int // lists in four minutes
	}{{0, 1}, {time.Minute, 4}} {
		synctest.Test(t, func(t *testing.T) {
			src := stalling()
			inf := newInformer(src, informer.WithReflector(reflector.Settings{
				ListStall: c.stall, Backoff: reflector.Backoff{Initial: time.Second, Max: time.Second},
			}))
			start(t, inf)
			time.Sleep(4 * time.Minute)
			synctest.Wait()
			if n := len(src.Requests()); n != c.want {
				t.Errorf("%d lists, want %d", n, c.want)
			}
		})
	}
}
