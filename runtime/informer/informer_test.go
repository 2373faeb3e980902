// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

func TestMain(m *testing.M) {
	crashIfAsked()
	goleak.VerifyTestMain(m)
}

type object = metav1.PartialObjectMetadata

var widgets = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}

func widget(name string, labels ...string) *object {
	o := &object{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
	for i := 0; i+1 < len(labels); i += 2 {
		metav1.SetMetaDataLabel(&o.ObjectMeta, labels[i], labels[i+1])
	}
	return o
}

func newInformer(src source.ListerWatcher[*object], opts ...informer.Option) *informer.Informer[*object] {
	return informer.New(widgets, sourceOf(src), store.ForObjects[*object](), opts...)
}

// sourceOf returns the source that src is, a source.Source, a server or script, or a source that reads by src.
func sourceOf(src source.ListerWatcher[*object]) source.Source[*object] {
	switch src := src.(type) {
	case source.Source[*object]:
		return src
	case interface{ Source() source.Source[*object] }:
		return src.Source()
	}
	return source.Source[*object]{ListerWatcher: src}
}

// start runs inf until the test ends or stop is called, which waits for it.
func start[T metav1.Object](t *testing.T, inf *informer.Informer[T]) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := inf.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	stop = func() { cancel(); running.Wait() }
	t.Cleanup(stop)
	return stop
}

// recorder writes down its calls: "+a" for an addition, "+a*" in the initial list,
// "~a" for an update, "-a" for a deletion, "-a?" if the final state is unknown; each
// with the label v of the object, if it has one. hold, if not nil, is received from
// in every call.
type recorder struct {
	mu   sync.Mutex
	log  []string
	hold chan struct{}
}

func (r *recorder) note(text string) {
	r.mu.Lock()
	r.log = append(r.log, text)
	r.mu.Unlock()
	if r.hold != nil {
		<-r.hold
	}
}

// got returns the calls since the last got, joined.
func (r *recorder) got() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := strings.Join(r.log, " ")
	r.log = nil
	return text
}

func tag(o *object) string { return o.Name + o.Labels["v"] }

func (r *recorder) OnAdd(o *object, initial bool) {
	if initial {
		r.note("+" + tag(o) + "*")
		return
	}
	r.note("+" + tag(o))
}

func (r *recorder) OnUpdate(old, new *object) { r.note("~" + tag(new)) }

func (r *recorder) OnDelete(d informer.Tombstone[*object]) {
	text := "-" + tag(d.Object)
	if d.FinalStateUnknown {
		text += "?"
	}
	if d.Key != (types.NamespacedName{Namespace: d.Object.Namespace, Name: d.Object.Name}) {
		text += " with the wrong key"
	}
	r.note(text)
}

func expect(t *testing.T, r *recorder, want string) {
	t.Helper()
	synctest.Wait()
	if got := r.got(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// both runs a test with lossless and with coalescing handlers.
func both(t *testing.T, test func(*testing.T, ...informer.HandlerOption)) {
	t.Run("lossless", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { test(t) })
	})
	t.Run("coalescing", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { test(t, informer.WithCoalescing()) })
	})
}

func TestHandlers(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		srv.Set(widget("b"))
		inf := newInformer(srv)
		r := &recorder{}
		reg := inf.AddEventHandler(r, opts...)
		expect(t, r, "")
		start(t, inf)
		expect(t, r, "+a* +b*")
		if !reg.HasSynced() || !inf.HasSynced() {
			t.Error("not synced")
		}
		srv.Set(widget("c"))
		expect(t, r, "+c")
		srv.Set(widget("a", "v", "2"))
		expect(t, r, "~a2")
		srv.Delete("ns", "b")
		expect(t, r, "-b")
		if rv := inf.Store().Reader().ResourceVersion(); rv != srv.ResourceVersion() {
			t.Errorf("the store is at %s, the server at %s", rv, srv.ResourceVersion())
		}
		srv.Skip(5)
		srv.Bookmark()
		synctest.Wait()
		if rv := inf.Store().Reader().ResourceVersion(); rv != srv.ResourceVersion() {
			t.Errorf("after a bookmark the store is at %s, the server at %s", rv, srv.ResourceVersion())
		}
	})
}

func TestEmptyListSyncs(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		inf := newInformer(runtimetest.NewServer[*object]())
		early := inf.AddEventHandler(&recorder{}, opts...)
		start(t, inf)
		synctest.Wait()
		late := inf.AddEventHandler(&recorder{}, opts...)
		synctest.Wait()
		if !early.HasSynced() || !late.HasSynced() || !inf.HasSynced() {
			t.Error("not synced", early.HasSynced(), late.HasSynced(), inf.HasSynced())
		}
	})
}

func TestLateHandler(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		inf := newInformer(srv)
		start(t, inf)
		synctest.Wait()
		r := &recorder{hold: make(chan struct{})}
		reg := inf.AddEventHandler(r, opts...)
		synctest.Wait()
		srv.Set(widget("b"))
		synctest.Wait()
		if reg.HasSynced() {
			t.Error("synced during the call for the initial list")
		}
		close(r.hold)
		synctest.Wait()
		if !reg.HasSynced() {
			t.Error("not synced")
		}
		expect(t, r, "+a* +b")
	})
}

// TestRelist: an object that is missing from a list is deleted with its last known state. An unchanged
// object is no change. An object with another UID is another object.
func TestRelist(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		for _, name := range []string{"changed", "gone", "recreated", "same"} {
			srv.Set(widget(name, "v", "1"))
		}
		inf := newInformer(srv)
		r := &recorder{}
		inf.AddEventHandler(r, opts...)
		stop := start(t, inf)
		expect(t, r, "+changed1* +gone1* +recreated1* +same1*")
		stop()
		srv.Delete("ns", "gone")
		srv.Delete("ns", "recreated")
		srv.Set(widget("recreated", "v", "2"))
		srv.Set(widget("changed", "v", "2"))
		srv.Set(widget("new", "v", "2"))
		srv.Compact()
		start(t, inf)
		synctest.Wait()
		got := strings.Fields(r.got())
		slices.Sort(got)
		if text := strings.Join(got, " "); text != "+new2 +recreated2 -gone1? -recreated1? ~changed2" {
			t.Errorf("got %q", text)
		}
	})
}

func TestTombstoneHasTheFinalState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		last, final := widget("a", "v", "1"), widget("a", "v", "2")
		final.ResourceVersion = "7"
		src := (&sourcetest.Script[*object]{NoWatchList: true}).
			Lists(sourcetest.Objects("5", last)).
			Watches(sourcetest.Stream(sourcetest.Deleted(final), sourcetest.Added(last), sourcetest.Deleted(final), sourcetest.Hang[*object]()))
		inf := newInformer(src)
		r := &recorder{}
		inf.AddEventHandler(r)
		start(t, inf)
		expect(t, r, "+a1* -a2 +a1 -a2")
	})
}

func TestUndecodableObjectsStay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bad := errors.New("bad JSON")
		a, b := widget("a"), widget("b")
		src := (&sourcetest.Script[*object]{NoWatchList: true}).
			Lists(
				sourcetest.Objects("5", a, b),
				sourcetest.Page("6", "", sourcetest.Items(b)[0], sourcetest.Undecodable[*object]("ns", "a", bad)),
				sourcetest.Page("7", "", sourcetest.Undecodable[*object]("", "", bad)),
				sourcetest.Objects("8", a)).
			Watches(
				sourcetest.Stream(sourcetest.Sleep[*object](time.Second), sourcetest.Break[*object](runtimetest.Expired())),
				sourcetest.Stream(sourcetest.Sleep[*object](time.Minute), sourcetest.Break[*object](runtimetest.Expired())),
			)
		inf := newInformer(src)
		r := &recorder{}
		inf.AddEventHandler(r)
		start(t, inf)
		expect(t, r, "+a* +b*")
		time.Sleep(30 * time.Second)
		expect(t, r, "~b") // no resourceVersion, so it may have changed
		if reader := inf.Store().Reader(); reader.Len() != 2 || !reader.Stale(store.KeyOf(a)) ||
			reader.ResourceVersion() != "6" {
			t.Error("a is not kept, or not stale")
		}
		time.Sleep(31*time.Second + 100*time.Millisecond)
		if reader := inf.Store().Reader(); reader.Len() != 2 || reader.ResourceVersion() != "6" {
			t.Error("a list that cannot be read in full was applied")
		}
		time.Sleep(10 * time.Second)
		expect(t, r, "-b? ~a")
		if inf.Store().Reader().Stale(store.KeyOf(a)) {
			t.Error("a is still stale")
		}
	})
}

func TestRewind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Skip(100)
		srv.Set(widget("a"))
		inf := newInformer(srv)
		start(t, inf)
		synctest.Wait()
		waited := make(chan error, 1)
		go func() { waited <- inf.Store().Reader().WaitFor(t.Context(), "200") }()
		synctest.Wait()
		srv.Rewind(50)
		time.Sleep(time.Minute)
		if err := <-waited; !errors.Is(err, store.ErrRewound) {
			t.Errorf("waiting for a version of the old epoch got %v", err)
		}
		if rv := inf.Store().Reader().ResourceVersion(); rv != "50" {
			t.Errorf("the store is at %s", rv)
		}
	})
}

func TestStoreIsAheadOfHandlers(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		inf := newInformer(srv)
		live := inf.Store().Reader()
		calls := 0
		see := func(o *object) {
			calls++
			if got, ok := live.Get(store.KeyOf(o)); !ok || got != o {
				t.Errorf("told of %s before the store has it", o.Name)
			}
		}
		inf.AddEventHandler(informer.HandlerFuncs[*object]{
			AddFunc:    func(o *object, _ bool) { see(o) },
			UpdateFunc: func(_, o *object) { see(o) },
			DeleteFunc: func(d informer.Tombstone[*object]) {
				if _, ok := live.Get(d.Key); ok {
					t.Errorf("told that %s is gone while the store has it", d.Key)
				}
			},
		}, opts...)
		start(t, inf)
		for i := range 20 {
			srv.Set(widget(fmt.Sprint(i % 3)))
			synctest.Wait()
		}
		srv.Delete("ns", "0")
		synctest.Wait()
		if calls != 20 {
			t.Errorf("%d calls", calls)
		}
	})
}

func TestMapAndSelectors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a", "app", "x", "v", "1"))
		srv.Set(widget("b", "app", "y"))
		edited := source.Map(source.Own(srv.Source()), func(o *object) (*object, error) {
			o.SetAnnotations(map[string]string{"edited": "1"})
			return o, nil
		})
		inf := newInformer(edited, informer.WithReflector(reflector.Settings{LabelSelector: "app=x"}))
		start(t, inf)
		synctest.Wait()
		got, ok := inf.Store().Reader().Get(store.KeyOf(widget("a")))
		if !ok || got.Annotations["edited"] != "1" || inf.Store().Reader().Len() != 1 {
			t.Errorf("got %v", got)
		}
		srv.Set(widget("a", "app", "z"))
		synctest.Wait()
		if n := inf.Store().Reader().Len(); n != 0 {
			t.Error("an object that is no longer selected stays")
		}
	})
}

func TestFilter(t *testing.T) {
	r := &recorder{}
	h := informer.Filter(func(o *object) bool { return o.Labels["v"] != "" }, informer.Handler[*object](r))
	out, one, two := widget("a"), widget("a", "v", "1"), widget("a", "v", "2")
	h.OnAdd(out, true)
	h.OnUpdate(out, one)
	h.OnUpdate(one, two)
	h.OnUpdate(two, out)
	h.OnUpdate(out, out)
	h.OnDelete(informer.Tombstone[*object]{Object: out, LastSeen: out, Key: store.KeyOf(out)})
	h.OnDelete(
		informer.Tombstone[*object]{Object: one, LastSeen: out, Key: store.KeyOf(out)},
	) // was not told of one
	h.OnAdd(one, true)
	h.OnDelete(
		informer.Tombstone[*object]{Object: one, LastSeen: one, Key: store.KeyOf(one), FinalStateUnknown: true},
	)
	h.OnAdd(two, false)
	h.OnDelete(informer.Tombstone[*object]{Object: out, LastSeen: two, Key: store.KeyOf(out)})
	if got := r.got(); got != "+a1 ~a2 -a2 +a1* -a1? +a2 -a" {
		t.Errorf("got %q", got)
	}
}
