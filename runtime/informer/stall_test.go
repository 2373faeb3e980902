// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// stalling is a source whose lists bring nothing.
func stalling() *runtimetest.Script[*object] {
	src := &runtimetest.Script[*object]{NoWatchList: true}
	for range 100 {
		src.Lists(runtimetest.ListHang[*object]())
	}
	return src
}

// TestWaitForSyncNamesAStalledList: the error of a wait says how long a list has stalled. The error
// handler gets one error.
func TestWaitForSyncNamesAStalledList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		heard := 0
		inf := newInformer(stalling(), informer.WithName("blue"), informer.WithErrorHandler(func(err error) {
			if !errors.Is(err, reflector.ErrSlowList) {
				t.Error(err)
			}
			heard++
		}))
		start(t, inf)
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		err := inf.WaitForSync(ctx)
		const want = "informer of widgets.example.com/v1 (blue) has not synced: context deadline exceeded; the list has brought nothing for 1m30s"
		if err == nil || err.Error() != want || !errors.Is(err, reflector.ErrSlowList) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		p := inf.Progress()
		if p.Stalled != 90*time.Second || p.String() != "listing; the list has brought nothing for 1m30s" {
			t.Errorf("progress %q, stalled for %v", p, p.Stalled)
		}
		if heard != 1 {
			t.Errorf("the error handler was notified %d times", heard)
		}
	})
}

// TestWaitForSyncNamesTheSourceThatStalls is about an informer with several sources.
func TestWaitForSyncNamesTheSourceThatStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inf := newInformer(nil)
		if _, err := inf.AddSource("east", runtimetest.NewServer[*object]()); err != nil {
			t.Fatal(err)
		}
		west, err := inf.AddSource("west", stalling())
		if err != nil {
			t.Fatal(err)
		}
		start(t, inf)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for wait, want := range map[string]struct {
			wait func(context.Context) error
			text string
		}{
			"informer": {inf.WaitForSync, "informer of widgets.example.com/v1 has not synced: context deadline exceeded; source west: the list has brought nothing for 1m0s"},
			"source":   {west.WaitForSync, "informer of widgets.example.com/v1, source west has not synced: context deadline exceeded; the list has brought nothing for 1m0s"},
		} {
			if err := want.wait(ctx); err == nil || err.Error() != want.text {
				t.Errorf("%s:\ngot  %v\nwant %s", wait, err, want.text)
			}
		}
	})
}

// TestListStallCutsAList: a list is cut after ListStall, and tried again.
func TestListStallCutsAList(t *testing.T) {
	for _, c := range []struct {
		opts []informer.Option
		want int // lists in four minutes
	}{{nil, 1}, {[]informer.Option{informer.WithListStall(time.Minute)}, 4}} {
		synctest.Test(t, func(t *testing.T) {
			src := stalling()
			inf := newInformer(
				src,
				append(
					c.opts,
					informer.WithBackoff(reflector.Backoff{Initial: time.Second, Max: time.Second}),
				)...)
			start(t, inf)
			time.Sleep(4 * time.Minute)
			synctest.Wait()
			if n := len(src.Requests()); n != c.want {
				t.Errorf("%d lists, want %d", n, c.want)
			}
		})
	}
}
