// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"maps"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// fuse has one of the times that foreign code is called be the one at which something
// happens.
type fuse struct {
	mu    sync.Mutex
	count int
	at    int
	out   bool // it does not burn any more
	burn  func()
}

func (f *fuse) pass() {
	f.mu.Lock()
	f.count++
	burns := f.count == f.at && !f.out
	f.mu.Unlock()
	if burns {
		f.burn()
	}
}

// takeOut has nothing burn any more, and returns how often it was passed.
func (f *fuse) takeOut() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.out = true
	return f.count
}

// fused is a source that passes a fuse whenever it says something.
type fused struct {
	source.ListerWatcher[*object]
	*fuse
}

func (s fused) List(
	ctx context.Context,
	opts metav1.ListOptions,
	each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	s.pass()
	defer s.pass()
	return s.ListerWatcher.List(
		ctx,
		opts,
		func(item source.Delta[*object], err error) error { s.pass(); return each(item, err) },
	)
}

func (s fused) Watch(ctx context.Context, opts metav1.ListOptions, each sourcetest.Sender[*object]) error {
	s.pass()
	defer s.pass()
	return s.ListerWatcher.Watch(ctx, opts, func(d source.Delta[*object], version string, err error) error {
		s.pass()
		return each(d, version, err)
	})
}

// fusedHandler is a mirror that passes a fuse in its calls.
type fusedHandler struct {
	*mirror
	*fuse
}

func (h fusedHandler) OnAdd(o *object, initial bool)          { h.mirror.OnAdd(o, initial); h.pass() }
func (h fusedHandler) OnUpdate(old, new *object)              { h.mirror.OnUpdate(old, new); h.pass() }
func (h fusedHandler) OnDelete(d informer.Tombstone[*object]) { h.mirror.OnDelete(d); h.pass() }
func (f *fuse) passError(error)                               { f.pass() }
func (f *fuse) passObject(o *object) (*object, error)         { f.pass(); return o, nil }
func (f *fuse) passIndex(dst []string, o *object) []string {
	f.pass()
	return append(dst, o.Labels["v"])
}

// fusedLife has an informer run twice, with much happening to it in the first run, in all of
// which its foreign code passes f. In the end all must be as if nothing had happened.
func fusedLife(t *testing.T, f *fuse, noWatchList bool, end *func()) (calls int) {
	srv := runtimetest.NewServer[*object]()
	srv.NoWatchList = noWatchList
	for _, name := range []string{"a", "b", "c", "d"} {
		srv.Set(widget(name, "v", "1"))
	}
	s := store.ForObjects[*object](store.WithErrorHandler(f.passError))
	byV := store.AddIndex(s, "v", f.passIndex)
	src := source.Source[*object]{ListerWatcher: fused{srv, f}}
	inf := informer.New(widgets, source.Map(src, f.passObject), s, informer.WithErrorHandler(f.passError),
		informer.WithReflector(reflector.Settings{PageSize: 3}), informer.WithBatchSize(2))
	var mirrors []*mirror
	add := func(name string, opts ...informer.HandlerOption) {
		m := &mirror{t: t, name: name, objects: map[types.NamespacedName]*object{}}
		mirrors = append(mirrors, m)
		inf.AddEventHandler(fusedHandler{m, f}, opts...)
	}
	add("lossless", informer.WithBuffer(1))
	add("coalescing", informer.WithCoalescing(), informer.WithResync(7*time.Second))
	run := func() (stop func()) {
		ctx, cancel := context.WithCancel(context.Background())
		*end = cancel
		over := make(chan struct{})
		go func() {
			defer close(over)
			if err := inf.Run(ctx); err != nil {
				t.Error(err)
			}
		}()
		return func() { cancel(); <-over }
	}
	stop := run()
	for _, step := range []func(){
		func() { srv.Set(widget("a", "v", "2")); srv.Set(widget("e", "v", "2")) },
		func() { srv.Delete("ns", "b"); srv.Set(widget("b", "v", "3")) },
		func() { srv.Compact(); srv.CutWatches(runtimetest.Expired()); srv.Delete("ns", "c") },
		func() { srv.Fail(runtimetest.Forbidden("watch", widgets.GroupResource())); srv.CutWatches(nil) },
		func() { add("late") },
		func() { srv.Set(widget("d", "v", "2")); srv.Delete("ns", "a") },
	} {
		synctest.Wait()
		step()
		time.Sleep(5 * time.Second)
	}
	stop()
	calls = f.takeOut()
	stop = run()
	time.Sleep(time.Minute)
	srv.Set(widget("last", "v", "9"))
	time.Sleep(time.Minute)
	synctest.Wait()
	want := map[types.NamespacedName]string{}
	for _, o := range existing(srv) {
		want[keyOf(o)] = o.ResourceVersion
	}
	got, indexed := map[types.NamespacedName]string{}, 0
	for o := range s.Reader().All() {
		got[keyOf(o)] = o.ResourceVersion
		indexed += byV.Count(s.Reader(), o.Labels["v"])
	}
	if !maps.Equal(got, want) {
		t.Errorf("the store has %v, want %v; last error %v", got, want, inf.LastError())
	}
	for _, m := range mirrors {
		if len(m.objects) != len(want) {
			t.Errorf("%s has %v, want %v", m.name, slicesOf(m.objects), want)
		}
		for key, o := range m.objects {
			if held, _ := s.Reader().Get(key); held != o {
				t.Errorf("%s has an old %s", m.name, key)
			}
		}
	}
	stop()
	return calls
}

func slicesOf(objects map[types.NamespacedName]*object) (names []string) {
	for key, o := range objects {
		names = append(names, key.Name+"@"+o.ResourceVersion)
	}
	return names
}

// Whenever it is that the context ends, nothing hangs, nothing is left over, and the next run,
// at the latest, makes all good.
func TestContextEndsAnywhere(t *testing.T) {
	for _, noWatchList := range []bool{false, true} {
		for at, calls := 0, 1; at <= calls && !t.Failed(); at++ {
			if at > 50 && testing.Short() {
				break
			}
			synctest.Test(t, func(t *testing.T) {
				var end func()
				f := &fuse{at: at, burn: func() { end() }}
				calls = fusedLife(t, f, noWatchList, &end)
				if at == 0 && calls < 90 {
					t.Errorf("foreign code is called %d times only", calls)
				}
			})
			if t.Failed() {
				t.Logf("call %d, without a WatchList: %v", at, noWatchList)
			}
		}
	}
}
