// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// closable is a source that fails while it is closed.
type closable struct {
	source.ListerWatcher[*object]
	closed *atomic.Bool
}

func (c closable) List(
	ctx context.Context,
	opts metav1.ListOptions,
	each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	if c.closed.Load() {
		return metav1.ListMeta{}, io.ErrUnexpectedEOF
	}
	return c.ListerWatcher.List(ctx, opts, each)
}

func (c closable) Watch(
	ctx context.Context, opts metav1.ListOptions, each sourcetest.Sender[*object],
) error {
	if c.closed.Load() {
		return io.ErrUnexpectedEOF
	}
	return c.ListerWatcher.Watch(ctx, opts, each)
}

// TestInformerFollowsASetWithoutIt: after Set has returned an error, the informer still follows the set.
func TestInformerFollowsASetWithoutIt(t *testing.T) {
	for name, newSet := range map[string]func(...string) *source.Set[string]{
		"handover": source.NewHandover[string], "namespaces": source.NewNamespaces,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := runtimetest.NewServer[*object]()
				for _, ns := range []string{"a", "b", "c"} {
					srv.Set(in(ns, "1"))
				}
				var closed atomic.Bool
				set := newSet("a")
				inf := newInformer(source.ForEach(set, func(ns string) source.Source[*object] {
					if ns == "a" {
						return srv.In(ns)
					}
					return source.Source[*object]{ListerWatcher: closable{srv.In(ns), &closed}}
				}))
				start(t, inf)
				if err := inf.WaitForSync(t.Context()); err != nil {
					t.Fatal(err)
				}
				closed.Store(true)
				// The second change comes before the first has been followed.
				for _, ns := range []string{"b", "c"} {
					ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
					err := set.Replace(ctx, ns)
					cancel()
					if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), ", source "+ns) {
						t.Errorf("Set(%s) failed with %v", ns, err)
					}
				}
				kept := strings.Contains(partsOf(inf), "a")
				if kept != (name == "handover") {
					t.Errorf("the old part is kept: %v", kept)
				}
				closed.Store(false)
				time.Sleep(5 * time.Minute) // longer than any backoff
				synctest.Wait()
				if parts := partsOf(inf); parts != "c" {
					t.Errorf("the informer has the parts %s", parts)
				}
				if got := held(inf); len(got) != 1 || got[0] != "c/1" {
					t.Errorf("the store has %v", got)
				}
				if err := set.Replace(t.Context(), "c"); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestChangeOfPartsAcrossRuns: a change that waits when the informer is stopped fails, and
// the next run follows it.
func TestChangeOfPartsAcrossRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(in("a", "1"))
		srv.Set(in("b", "1"))
		var closed atomic.Bool
		closed.Store(true)
		set := source.NewHandover("a")
		inf := newInformer(source.ForEach(set, func(ns string) source.Source[*object] {
			if ns == "a" {
				return srv.In(ns)
			}
			return source.Source[*object]{ListerWatcher: closable{srv.In(ns), &closed}}
		}))
		stop := start(t, inf)
		if err := inf.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		changed := make(chan error, 1)
		go func() { changed <- set.Replace(t.Context(), "b") }()
		synctest.Wait()
		stop()
		if err := <-changed; !errors.Is(err, informer.ErrStopped) {
			t.Errorf("a change across the end of a run: %v", err)
		}
		start(t, inf)
		synctest.Wait()
		if got := held(inf); len(got) != 1 || got[0] != "a/1" {
			t.Errorf("before the new part has synced, the store has %v", got)
		}
		closed.Store(false)
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if got := held(inf); len(got) != 1 || got[0] != "b/1" {
			t.Errorf("after the new part has synced, the store has %v", got)
		}
	})
}

// A source of many parts may be costly to make: they are made once for each run and each change of the set.
func TestSourcesAreMadeOncePerChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		var made atomic.Int32
		set := source.NewHandover("a", "b", "c")
		inf := newInformer(source.ForEach(set, func(ns string) source.Source[*object] {
			made.Add(1)
			return srv.In(ns)
		}))
		srv.Fail(denied) // the parts sync one after the other
		stop := start(t, inf)
		if err := inf.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := made.Swap(0); n != 3 {
			t.Errorf("%d sources were made for 3 parts", n)
		}
		if err := set.Replace(t.Context(), "b", "d"); err != nil {
			t.Error(err)
		}
		if n := made.Swap(0); n != 2 || partsOf(inf) != "b d" {
			t.Errorf("%d sources were made for a change to 2 parts, and %s are read", n, partsOf(inf))
		}
		stop()
		start(t, inf)
		synctest.Wait()
		if n := made.Load(); n != 2 {
			t.Errorf("%d sources were made in another run of 2 parts", n)
		}
	})
}
