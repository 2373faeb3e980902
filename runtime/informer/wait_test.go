// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/lister"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// pending is a wait for a resourceVersion that has begun.
type pending chan error

// begin begins to wait, for an hour at most.
func begin(t *testing.T, wait func(context.Context, string) error, rv string) pending {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	t.Cleanup(cancel)
	ended := make(pending, 1)
	go func() { ended <- wait(ctx, rv) }()
	synctest.Wait()
	return ended
}

func (p pending) lasts(t *testing.T, when string) {
	t.Helper()
	synctest.Wait()
	select {
	case err := <-p:
		t.Errorf("%s: the wait is over, with %v", when, err)
		p <- err
	default:
	}
}

func (p pending) ends(t *testing.T, when string, want error) {
	t.Helper()
	synctest.Wait()
	select {
	case err := <-p:
		if !errors.Is(err, want) {
			t.Errorf("%s: ended with %v, want %v", when, err, want)
		}
	default:
		t.Errorf("%s: it still waits", when)
	}
}

type reader = store.Reader[types.NamespacedName, *object]

// waiters are the ways to wait for all that an informer reads from one server.
func waiters(inf *informer.Informer[*object]) map[string]func(context.Context, string) error {
	return map[string]func(context.Context, string) error{
		"informer": inf.WaitFor,
		"lister":   lister.New(inf.Store(), widgets.GroupResource()).WaitFor,
	}
}

// each runs a test for each way to wait.
func each(
	t *testing.T,
	src func(srv *runtimetest.Server[*object]) (source.ListerWatcher[*object], []informer.Option),
	test func(t *testing.T, srv *runtimetest.Server[*object], inf *informer.Informer[*object], wait func(context.Context, string) error),
) {
	t.Helper()
	for _, name := range []string{"informer", "lister"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := runtimetest.NewServer[*object]()
				src, opts := src(srv)
				inf := newInformer(src, opts...)
				test(t, srv, inf, waiters(inf)[name])
			})
		})
	}
}

// What a source is made up of is not known before the informer runs, and it may be a
// while until the last of it is read.
func TestWaitForBeforeTheInformerRuns(t *testing.T) {
	src := func(srv *runtimetest.Server[*object]) (source.ListerWatcher[*object], []informer.Option) {
		return source.ForEach(source.NewNamespaces("a", "b"), func(ns string) source.Source[*object] {
			if ns == "b" {
				return source.Source[*object]{ListerWatcher: slow{srv.In(ns)}}
			}
			return srv.In(ns)
		}), nil
	}
	each(t, src, func(t *testing.T, srv *runtimetest.Server[*object], inf *informer.Informer[*object], wait func(context.Context, string) error) {
		rv := srv.Set(in("b", "1"))
		early := begin(t, wait, rv)
		early.lasts(t, "before the informer runs")
		f := informer.NewFactory()
		defer f.Shutdown()
		informer.Share(f, func() *informer.Informer[*object] { return inf }).Get()
		f.Start(t.Context())
		late := begin(t, wait, rv)
		late.lasts(t, "when one namespace has been read")
		time.Sleep(delay)
		early.ends(t, "when both have been read", nil)
		late.ends(t, "when both have been read", nil)
		if _, ok := inf.Store().Reader().Get(keyOf(in("b", "1"))); !ok {
			t.Error("the store lacks what was waited for")
		}
	})
}

// delay is how long a slow source takes to begin.
const delay = 3 * time.Second

type slow struct{ source.ListerWatcher[*object] }

func (s slow) Watch(ctx context.Context, opts metav1.ListOptions, each sourcetest.Sender[*object]) error {
	time.Sleep(delay)
	return s.ListerWatcher.Watch(ctx, opts, each)
}

func TestWaitForWithoutASource(t *testing.T) {
	if err := newInformer(nil).WaitFor(t.Context(), "7"); !errors.Is(err, informer.ErrNoSource) {
		t.Errorf("got %v", err)
	}
}

// A version means the same to all namespaces of a server, and is reached by a set of them
// when the last of them has reached it.
func TestWaitForASetOfNamespaces(t *testing.T) {
	namespaces := source.NewNamespaces()
	src := func(srv *runtimetest.Server[*object]) (source.ListerWatcher[*object], []informer.Option) {
		namespaces = source.NewNamespaces("a")
		return byNamespace(srv, namespaces), nil
	}
	each(t, src, func(t *testing.T, srv *runtimetest.Server[*object], inf *informer.Informer[*object], wait func(context.Context, string) error) {
		start(t, inf)
		if err := inf.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		begin(t, wait, srv.Set(in("a", "1"))).ends(t, "one namespace", nil)
		if err := namespaces.Replace(t.Context(), "a", "b"); err != nil {
			t.Fatal(err)
		}
		rv := srv.Set(in("a", "2"))
		both := begin(t, wait, rv)
		both.lasts(t, "when the other namespace has not heard of it")
		if got := inf.Store().Reader().ResourceVersion(); got == rv || got == "" {
			t.Errorf("the store says that it reflects %q", got)
		}
		srv.Set(in("b", "1"))
		both.ends(t, "when the other namespace is further", nil)

		rv = srv.Set(in("a", "3"))
		gone := begin(t, wait, rv)
		if err := namespaces.Replace(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		gone.ends(t, "when the other namespace has gone", nil)

		none := begin(t, wait, "1000")
		none.lasts(t, "before that version")
		if err := namespaces.Replace(t.Context()); err != nil {
			t.Fatal(err)
		}
		none.ends(t, "when there is no namespace", nil)
		begin(t, wait, "2000").ends(t, "of no namespace", nil)
	})
}

// One namespace takes the place of another: between the two, there is no moment at which
// nothing is left to wait for.
func TestWaitForWhileTheSetChanges(t *testing.T) {
	namespaces := source.NewNamespaces()
	src := func(srv *runtimetest.Server[*object]) (source.ListerWatcher[*object], []informer.Option) {
		namespaces = source.NewNamespaces("a")
		return source.ForEach(namespaces, func(ns string) source.Source[*object] {
			if ns != "a" {
				return source.Source[*object]{ListerWatcher: slow{srv.In(ns)}}
			}
			return srv.In(ns)
		}), nil
	}
	each(t, src, func(t *testing.T, srv *runtimetest.Server[*object], inf *informer.Informer[*object], wait func(context.Context, string) error) {
		stop := start(t, inf)
		if err := inf.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		rv := srv.Set(in("b", "1"))
		replaced := begin(t, wait, rv)
		set := make(chan error, 1)
		go func() { set <- namespaces.Replace(t.Context(), "b") }()
		replaced.lasts(t, "when the new namespace is being read")
		if err := <-set; err != nil {
			t.Fatal(err)
		}
		replaced.ends(t, "when it has been read", nil)

		// And while the informer does not run.
		stop()
		if err := namespaces.Replace(t.Context(), "c"); err != nil {
			t.Fatal(err)
		}
		rv = srv.Set(in("c", "1"))
		start(t, inf)
		synctest.Wait()
		replaced = begin(t, wait, rv)
		replaced.lasts(t, "when the new namespace is being read")
		time.Sleep(delay)
		replaced.ends(t, "when it has been read", nil)
		if got := strings.Join(held(inf), " "); got != "c/1" {
			t.Errorf("the store has %q", got)
		}
	})
}

// Shards of one source are of one server, too, also those that take over from others.
func TestWaitForShards(t *testing.T) {
	first, second := shardOf(t, 0, 4), shardOf(t, 1, 4) // here, for it may skip the test
	var shards *shard.Set
	src := func(srv *runtimetest.Server[*object]) (source.ListerWatcher[*object], []informer.Option) {
		shards = shard.NewSet(first, second)
		return shard.Source[*object](srv.Source(), shards), nil
	}
	each(t, src, func(t *testing.T, srv *runtimetest.Server[*object], inf *informer.Informer[*object], wait func(context.Context, string) error) {
		early := begin(t, wait, srv.Set(widget("a")))
		early.lasts(t, "before the informer runs")
		start(t, inf)
		early.ends(t, "when it has synced", nil)
		next := begin(t, wait, srv.Set(widget("b")))
		srv.Bookmark()
		next.ends(t, "when each shard has heard of it", nil)
		if err := shards.Replace(t.Context(), shardOf(t, 0, 2)); err != nil {
			t.Fatal(err)
		}
		next = begin(t, wait, srv.Set(widget("c")))
		srv.Bookmark()
		next.ends(t, "when the new shard has heard of it", nil)
	})
}

// A part that goes never fails an informer's WaitFor, also not in the moment in which the
// store is without it and the informer is not: here, while an error is being handled.
func TestWaitForWhileAPartGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(in("a", "1"))
		told := 0
		namespaces := source.NewNamespaces("a", "b")
		inf := newInformer(byNamespace(srv, namespaces), informer.WithErrorHandler(func(error) {
			told++
			time.Sleep(time.Second)
		}))
		changes := 0
		store.AddIndex(inf.Store(), "impure", func(dst []int, _ *object) []int {
			changes++
			return append(dst, changes)
		})
		start(t, inf)
		if err := inf.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		all := begin(t, inf.WaitFor, "1000")
		for _, left := range [][]string{{"a"}, nil} {
			if err := namespaces.Replace(t.Context(), left...); err != nil {
				t.Fatal(err)
			}
		}
		all.ends(t, "nothing is left", nil)
		if told == 0 {
			t.Error("no error was handled, which is no test")
		}
	})
}

// The error of a wait for the store includes the last error of the informer, as that of WaitForSync does.
func TestWaitForSaysWhy(t *testing.T) {
	src := func(srv *runtimetest.Server[*object]) (source.ListerWatcher[*object], []informer.Option) {
		return srv, nil
	}
	each(t, src, func(t *testing.T, srv *runtimetest.Server[*object], inf *informer.Informer[*object], wait func(context.Context, string) error) {
		failure := func() error {
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("my patience"))
			defer cancel()
			return wait(ctx, "1000")
		}
		if err := failure(); !errors.Is(err, informer.ErrNotStarted) || !strings.Contains(err.Error(), "my patience") {
			t.Errorf("before it runs: %v", err)
		}
		start(t, inf)
		synctest.Wait()
		if err := failure(); err == nil || strings.Contains(err.Error(), "last error") || !strings.Contains(err.Error(), "my patience") {
			t.Errorf("when nothing is wrong: %v", err)
		}
		for range 10 {
			srv.Fail(runtimetest.TooManyRequests(5))
		}
		srv.CutWatches(nil)
		if err := failure(); err == nil || !strings.Contains(err.Error(), "my patience; ") || strings.Count(err.Error(), "informer of widgets.example.com/v1: ") != 1 ||
			!strings.Contains(err.Error(), "last error, ") || !strings.Contains(err.Error(), " ago: resume: ") || !strings.Contains(err.Error(), "too many requests") {
			t.Errorf("when the server is busy: %v", err)
		}
	})
}
