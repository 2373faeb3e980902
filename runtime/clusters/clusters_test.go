// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package clusters_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/clusters"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type object = metav1.PartialObjectMetadata

var widgets = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}

func widget(name string) *object {
	return &object{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
}

func newInformer(src source.Source[*object], opts ...informer.Option) *informer.Informer[*object] {
	return informer.New(widgets, src, store.ForObjects[*object](), opts...)
}

// site is what reads one cluster, as the Informers of emitted code do.
type site struct {
	*informer.Factory
	widgets func() *informer.Informer[*object]
}

func newSite(srv *runtimetest.Server[*object]) *site {
	f := informer.NewFactory()
	return &site{f, informer.Share(f, func() *informer.Informer[*object] { return newInformer(srv.Source()) }).Get}
}

func all(s *site) iter.Seq[*object] { return s.widgets().Store().Reader().All() }

func TestClusters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		east, west, north := runtimetest.NewServer[*object](), runtimetest.NewServer[*object](), runtimetest.NewServer[*object]()
		for _, srv := range []*runtimetest.Server[*object]{east, west, north} {
			srv.Set(widget("a")) // each has one of that name
		}
		west.Set(widget("b"))
		group := clusters.New[*site]()
		add := func(name string, srv *runtimetest.Server[*object]) *site {
			s := newSite(srv)
			s.widgets()
			if err := group.Add(name, s); err != nil {
				t.Fatal(err)
			}
			return s
		}
		ask := func(want string) {
			t.Helper()
			var got []string
			for cluster, o := range clusters.Ask(group, all) {
				got = append(got, cluster+"/"+o.Name)
			}
			if text := strings.Join(got, " "); text != want {
				t.Errorf("got %q, want %q", text, want)
			}
		}
		ask("")
		add("west", west)
		e := add("east", east)
		if err := group.Add("east", newSite(east)); !errors.Is(err, clusters.ErrExists) ||
			!strings.Contains(err.Error(), "east") {
			t.Errorf("added twice: %v", err)
		}
		group.Start(t.Context())
		if err := group.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		ask("east/a west/a west/b")
		add("north", north) // while the others run
		if err := group.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		ask("east/a north/a west/a west/b")
		if got, ok := group.Get("east"); !ok || got != e {
			t.Error("Get has another")
		}
		for cluster, o := range clusters.Ask(group, all) { // may be left
			if cluster != "east" || o.Name != "a" {
				t.Errorf("first comes %s/%s", cluster, o.Name)
			}
			break
		}
		if err := group.Remove(t.Context(), "east"); err != nil {
			t.Fatal(err)
		}
		if err := e.widgets().Run(closed()); errors.Is(err, informer.ErrRunning) {
			t.Error("a cluster that was removed is read")
		}
		if err := group.Remove(t.Context(), "east"); !errors.Is(err, clusters.ErrNotFound) {
			t.Errorf("removed twice: %v", err)
		}
		if _, ok := group.Get("east"); ok {
			t.Error("removed, and there")
		}
		ask("north/a west/a west/b")
		group.Shutdown()
		late := newSite(east)
		if err := group.Add("late", late); !errors.Is(err, informer.ErrShutdown) ||
			!strings.Contains(err.Error(), "late") {
			t.Errorf("added after Shutdown: %v", err)
		}
		group.Start(t.Context())
		synctest.Wait()
		if _, ok := group.Get("late"); ok || late.widgets().HasSynced() {
			t.Error("started after Shutdown")
		}
	})
}

func TestClusterThatCannotBeReadIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		group := clusters.New[*site]()
		for name, srv := range map[string]*runtimetest.Server[*object]{"good": runtimetest.NewServer[*object](), "bad": runtimetest.NewServer[*object]()} {
			if name == "bad" {
				for range 1000 {
					srv.Fail(runtimetest.Forbidden("list", widgets.GroupResource()))
				}
			}
			s := newSite(srv)
			s.widgets()
			if err := group.Add(name, s); err != nil {
				t.Fatal(err)
			}
		}
		group.Start(t.Context())
		defer group.Shutdown()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := group.WaitForSync(ctx)
		if text := fmt.Sprint(err); !strings.HasPrefix(
			text,
			"cluster bad: informer of widgets.example.com/v1",
		) ||
			!strings.Contains(text, "forbidden") ||
			strings.Contains(text, "good") {
			t.Errorf("got %v", err)
		}
	})
}

// hanging returns a cluster that never syncs.
func hanging() *site {
	f := informer.NewFactory()
	s := &site{f, informer.Share(f, func() *informer.Informer[*object] {
		return newInformer(
			(&runtimetest.Script[*object]{NoWatchList: true}).Lists(runtimetest.ListHang[*object]()).Source(),
		)
	}).Get}
	s.widgets()
	return s
}

// A cluster that is removed need not sync, whenever it goes.
func TestClusterIsRemovedBeforeItHasSynced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		group := clusters.New[*site]()
		for _, name := range []string{"a", "b"} {
			if err := group.Add(name, hanging()); err != nil {
				t.Fatal(err)
			}
		}
		ended := make(chan error, 1)
		go func() { ended <- group.Run(t.Context()) }()
		synctest.Wait()
		synced := make(chan error, 1)
		go func() { synced <- group.WaitForSync(t.Context()) }()
		for _, name := range []string{"b", "a"} { // a is waited for first
			synctest.Wait()
			if len(synced) != 0 {
				t.Errorf("WaitForSync returned before %s was removed", name)
			}
			if err := group.Remove(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
		if err := <-synced; err != nil {
			t.Error(err)
		}
		group.Shutdown()
	})
}

func TestClustersRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		group := clusters.New[*site]()
		s := newSite(srv)
		hold := make(chan struct{})
		s.widgets().AddEventHandler(informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) { <-hold }})
		if err := group.Add("a", s); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- group.Run(ctx) }()
		srv.Set(widget("a"))
		synctest.Wait()
		if !s.widgets().HasSynced() {
			t.Error("Run does not start")
		}
		cancel()
		synctest.Wait()
		select {
		case <-ended:
			t.Error("Run has returned, and a handler is being called")
		default:
		}
		patience, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := group.ShutdownContext(patience); !errors.Is(err, context.DeadlineExceeded) ||
			!strings.HasPrefix(err.Error(), "cluster a: ") {
			t.Errorf("the handler hangs: %v", err)
		}
		close(hold)
		if err := errors.Join(<-ended, group.ShutdownContext(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

// counting counts how often it is started.
type counting struct {
	informer.Factory
	starts atomic.Int64
}

func (c *counting) Start(context.Context) { c.starts.Add(1) }

// A cluster is started once, by Start or by Add.
func TestClusterIsStartedOnce(t *testing.T) {
	for range 2000 {
		group := clusters.New[*counting]()
		all := make([]*counting, 4)
		var adding sync.WaitGroup
		for i := range all {
			all[i] = &counting{}
			adding.Go(func() {
				if err := group.Add(fmt.Sprint(i), all[i]); err != nil {
					t.Error(err)
				}
			})
		}
		group.Start(t.Context())
		adding.Wait()
		for i, one := range all {
			if n := one.starts.Load(); n != 1 {
				t.Fatalf("cluster %d was started %d times", i, n)
			}
		}
	}
}

// If a cluster has not ended when Remove returns, a second Remove waits for it, and so does Shutdown.
func TestClusterThatLeavesSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		east := newSite(srv)
		release := make(chan struct{})
		east.widgets().
			AddEventHandler(informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) { <-release }})
		group := clusters.New[*site]()
		if err := group.Add("x", east); err != nil {
			t.Fatal(err)
		}
		group.Start(t.Context())
		synctest.Wait()
		soon := func() context.Context {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			t.Cleanup(cancel)
			return ctx
		}
		for range 2 {
			if err := group.Remove(soon(), "x"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Remove: %v", err)
			}
		}
		if err := group.ShutdownContext(soon()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ShutdownContext: %v", err)
		}
		close(release)
		group.Shutdown()
		if err := group.Remove(soon(), "x"); !errors.Is(err, clusters.ErrNotFound) {
			t.Errorf("Remove of what has left: %v", err)
		}
	})
}

// closed returns a context that has ended.
func closed() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
