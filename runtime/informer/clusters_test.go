// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

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

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// site is what reads one cluster, as the Informers of emitted code do.
type site struct {
	*informer.Factory
	widgets func() *informer.Informer[*object]
}

func newSite(srv *runtimetest.Server[*object]) *site {
	f := informer.NewFactory()
	return &site{f, informer.Share(f, func() *informer.Informer[*object] { return newInformer(srv) }).Get}
}

func all(s *site) iter.Seq[*object] { return s.widgets().Store().Reader().All() }

func TestClusters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		east, west, north := runtimetest.NewServer[*object](), runtimetest.NewServer[*object](), runtimetest.NewServer[*object]()
		for _, srv := range []*runtimetest.Server[*object]{east, west, north} {
			srv.Set(widget("a")) // each has one of that name
		}
		west.Set(widget("b"))
		clusters := informer.NewClusters[*site]()
		add := func(name string, srv *runtimetest.Server[*object]) *site {
			s := newSite(srv)
			s.widgets()
			if err := clusters.Add(name, s); err != nil {
				t.Fatal(err)
			}
			return s
		}
		ask := func(want string) {
			t.Helper()
			var got []string
			for cluster, o := range informer.Ask(clusters, all) {
				got = append(got, cluster+"/"+o.Name)
			}
			if text := strings.Join(got, " "); text != want {
				t.Errorf("got %q, want %q", text, want)
			}
		}
		ask("")
		add("west", west)
		e := add("east", east)
		if err := clusters.Add("east", newSite(east)); !errors.Is(err, informer.ErrClusterExists) || !strings.Contains(err.Error(), "east") {
			t.Errorf("added twice: %v", err)
		}
		clusters.Start(t.Context())
		if err := clusters.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		ask("east/a west/a west/b")
		add("north", north) // while the others run
		if err := clusters.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		ask("east/a north/a west/a west/b")
		if got, ok := clusters.Get("east"); !ok || got != e {
			t.Error("Get has another")
		}
		for cluster, o := range informer.Ask(clusters, all) { // may be left
			if cluster != "east" || o.Name != "a" {
				t.Errorf("first comes %s/%s", cluster, o.Name)
			}
			break
		}
		if err := clusters.Remove(t.Context(), "east"); err != nil {
			t.Fatal(err)
		}
		if err := e.widgets().Run(closed()); errors.Is(err, informer.ErrRunning) {
			t.Error("a cluster that was removed is read")
		}
		if err := clusters.Remove(t.Context(), "east"); !errors.Is(err, informer.ErrNoSuchCluster) {
			t.Errorf("removed twice: %v", err)
		}
		if _, ok := clusters.Get("east"); ok {
			t.Error("removed, and there")
		}
		ask("north/a west/a west/b")
		clusters.Shutdown()
		late := newSite(east)
		if err := clusters.Add("late", late); !errors.Is(err, informer.ErrShutdown) || !strings.Contains(err.Error(), "late") {
			t.Errorf("added after Shutdown: %v", err)
		}
		clusters.Start(t.Context())
		synctest.Wait()
		if _, ok := clusters.Get("late"); ok || late.widgets().HasSynced() {
			t.Error("started after Shutdown")
		}
	})
}

func TestClusterThatCannotBeReadIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clusters := informer.NewClusters[*site]()
		for name, srv := range map[string]*runtimetest.Server[*object]{"good": runtimetest.NewServer[*object](), "bad": runtimetest.NewServer[*object]()} {
			if name == "bad" {
				for range 1000 {
					srv.Fail(runtimetest.Forbidden("list", widgets.GroupResource()))
				}
			}
			s := newSite(srv)
			s.widgets()
			if err := clusters.Add(name, s); err != nil {
				t.Fatal(err)
			}
		}
		clusters.Start(t.Context())
		defer clusters.Shutdown()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := clusters.WaitForSync(ctx)
		if text := fmt.Sprint(err); !strings.HasPrefix(text, "cluster bad: informer of widgets.example.com/v1") || !strings.Contains(text, "forbidden") || strings.Contains(text, "good") {
			t.Errorf("got %v", err)
		}
	})
}

// hanging returns a cluster that never syncs.
func hanging() *site {
	f := informer.NewFactory()
	s := &site{f, informer.Share(f, func() *informer.Informer[*object] {
		return newInformer((&runtimetest.Script[*object]{NoWatchList: true}).Lists(runtimetest.ListHang[*object]()))
	}).Get}
	s.widgets()
	return s
}

// A cluster that is removed need not sync, whenever it goes.
func TestClusterIsRemovedBeforeItHasSynced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clusters := informer.NewClusters[*site]()
		for _, name := range []string{"a", "b"} {
			if err := clusters.Add(name, hanging()); err != nil {
				t.Fatal(err)
			}
		}
		ended := make(chan error, 1)
		go func() { ended <- clusters.Run(t.Context()) }()
		synctest.Wait()
		all := begin(t, func(ctx context.Context, _ string) error { return clusters.WaitForSync(ctx) }, "")
		for _, name := range []string{"b", "a"} { // it waits for a first
			all.lasts(t, "before "+name+" goes")
			if err := clusters.Remove(t.Context(), name); err != nil {
				t.Fatal(err)
			}
		}
		all.ends(t, "when both have gone", nil)
		clusters.Shutdown()
	})
}

func TestClustersRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		clusters := informer.NewClusters[*site]()
		s := newSite(srv)
		hold := make(chan struct{})
		s.widgets().AddHandler(informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) { <-hold }})
		if err := clusters.Add("a", s); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- clusters.Run(ctx) }()
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
		if err := clusters.ShutdownContext(patience); !errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), "cluster a: ") {
			t.Errorf("the handler hangs: %v", err)
		}
		close(hold)
		if err := errors.Join(<-ended, clusters.ShutdownContext(t.Context())); err != nil {
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

// A cluster is started once, be it by Start or by Add.
func TestClusterIsStartedOnce(t *testing.T) {
	for range 2000 {
		clusters := informer.NewClusters[*counting]()
		all := make([]*counting, 4)
		var adding sync.WaitGroup
		for i := range all {
			all[i] = &counting{}
			adding.Go(func() {
				if err := clusters.Add(fmt.Sprint(i), all[i]); err != nil {
					t.Error(err)
				}
			})
		}
		clusters.Start(t.Context())
		adding.Wait()
		for i, one := range all {
			if n := one.starts.Load(); n != 1 {
				t.Fatalf("cluster %d was started %d times", i, n)
			}
		}
	}
}
