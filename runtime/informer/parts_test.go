// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func in(namespace, name string) *object {
	o := widget(name)
	o.Namespace = namespace
	return o
}

// byNamespace is a source of srv's objects in namespaces.
func byNamespace(
	srv *runtimetest.Server[*object],
	namespaces *source.Namespaces,
) source.Source[*object] {
	return source.ForEach(namespaces, srv.In)
}

// reads counts the requests by which what exists in a namespace was read.
func reads(srv *runtimetest.Server[*object], namespace string) (n int) {
	for _, r := range srv.Requests() {
		streams := r.Watch && r.Options.SendInitialEvents != nil
		if r.Namespace == namespace && (streams || !r.Watch && r.Options.Limit != 1) {
			n++
		}
	}
	return n
}

// ofParts returns a source with a part for each of srcs, and the set of their names.
func ofParts(srcs map[string]source.ListerWatcher[*object]) (source.ListerWatcher[*object], *source.Set[string]) {
	set := source.NewNamespaces(slices.Sorted(maps.Keys(srcs))...)
	return source.ForEach(set, func(name string) source.Source[*object] { return sourceOf(srcs[name]) }), set
}

// partsOf returns the names of the parts that are read.
func partsOf(inf *informer.Informer[*object]) string {
	var names []string
	for _, s := range inf.Stats().Sources {
		names = append(names, s.Name)
	}
	return strings.Join(names, " ")
}

// expectInAnyOrder is expect for calls that come of several parts.
func expectInAnyOrder(t *testing.T, r *recorder, want string) {
	t.Helper()
	synctest.Wait()
	got := strings.Fields(r.got())
	if slices.Sort(got); strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestNamespacesChangeWhileTheInformerRuns reads some namespaces of a server, then
// others, and what remains is not read again.
func TestNamespacesChangeWhileTheInformerRuns(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		for _, o := range []*object{in("a", "1"), in("b", "2"), in("c", "3")} {
			srv.Set(o)
		}
		namespaces := source.NewNamespaces("a", "b")
		inf := newInformer(byNamespace(srv, namespaces))
		r := &recorder{}
		inf.AddEventHandler(r, opts...)
		start(t, inf)
		synctest.Wait()
		if !inf.HasSynced() || inf.Store().Reader().Len() != 2 {
			t.Fatalf("synced %v, %d objects", inf.HasSynced(), inf.Store().Reader().Len())
		}
		expectInAnyOrder(t, r, "+1* +2*")
		var left []informer.Tombstone[*object]
		inf.AddEventHandler(
			informer.HandlerFuncs[*object]{
				DeleteFunc: func(t informer.Tombstone[*object]) { left = append(left, t) },
			},
		)
		if err := namespaces.Replace(t.Context(), "b", "c"); err != nil {
			t.Fatal(err)
		}
		expectInAnyOrder(t, r, "+3* -1?")
		if len(left) != 1 || !left[0].SourceRemoved || !left[0].FinalStateUnknown {
			t.Errorf("told of what was let go: %+v", left)
		}
		srv.Set(in("a", "4"))
		srv.Set(in("b", "5"))
		synctest.Wait()
		srv.Delete("c", "3")
		expectInAnyOrder(t, r, "+5 -3")
		for ns, want := range map[string]int{"a": 1, "b": 1, "c": 1} {
			if n := reads(srv, ns); n != want {
				t.Errorf("namespace %s was read %d times, want %d", ns, n, want)
			}
		}
		if err := namespaces.Replace(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		if got := inf.Store().Reader().Len(); got != 2 {
			t.Errorf("%d objects after all namespaces have changed, want 1 and 4", got)
		}
		if err := namespaces.Replace(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := inf.Store().Reader().Len(); got != 0 {
			t.Errorf("%d objects are left of no namespace", got)
		}
		if left := partsOf(inf); left != "" {
			t.Errorf("%s is left of no namespace", left)
		}
	})
}

// TestOneNamespaceFails: one of several namespaces is forbidden. The others sync, and the error of a wait
// names the forbidden one.
func TestOneNamespaceFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(in("a", "1"))
		forbidden := &sourcetest.Script[*object]{NoWatchList: true}
		for range 100 {
			forbidden.Lists(
				sourcetest.ListError[*object](runtimetest.Forbidden("list", widgets.GroupResource())),
			)
		}
		namespaces := source.NewNamespaces("a")
		inf := newInformer(source.ForEach(namespaces, func(ns string) source.Source[*object] {
			if ns == "secret" {
				return forbidden.Source()
			}
			return srv.In(ns)
		}))
		start(t, inf)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := namespaces.Replace(ctx, "a", "secret")
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), ", source secret") ||
			!strings.Contains(err.Error(), "forbidden") {
			t.Errorf("got %v", err)
		}
		if e := new(informer.Error); !errors.As(inf.LastError(), &e) || e.Source != "secret" {
			t.Errorf("the last error is %v", inf.LastError())
		}
		rv := srv.Set(in("a", "2"))
		if err := namespaces.Replace(t.Context(), "a"); err != nil {
			t.Error(err)
		}
		if err := inf.WaitFor(t.Context(), rv); err != nil {
			t.Error(err)
		}
		if partsOf(inf) != "a" || inf.Store().Reader().Len() != 2 {
			t.Error("the namespace that failed is still there")
		}
	})
}

// TestWaitForPart: a wait for a part does not wait for another one, which is forbidden. It may begin before Run.
func TestWaitForPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(in("a", "1"))
		forbidden := runtimetest.NewServer[*object]()
		forbidden.Fail(slices.Repeat([]error{runtimetest.Forbidden("list", widgets.GroupResource())}, 100)...)
		inf := newInformer(source.ForEach(source.NewNamespaces("a", "secret"), func(ns string) source.Source[*object] {
			if ns == "secret" {
				return forbidden.In(ns)
			}
			return srv.In(ns)
		}))
		waited := make(chan error, 1)
		go func() { waited <- inf.WaitForPart(t.Context(), "a") }()
		synctest.Wait()
		stop := start(t, inf)
		if err := <-waited; err != nil || inf.Store().Reader().Len() != 1 {
			t.Errorf("%d objects after the wait, %v", inf.Store().Reader().Len(), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := inf.WaitForPart(ctx, "secret")
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), ", source secret") ||
			!strings.Contains(err.Error(), "forbidden") {
			t.Errorf("the wait for the forbidden part: %v", err)
		}
		go func() { waited <- inf.WaitForPart(t.Context(), "none") }()
		synctest.Wait()
		stop()
		if err := <-waited; !errors.Is(err, informer.ErrStopped) {
			t.Errorf("the wait for a part that the source does not have: %v", err)
		}
	})
}

// TestWaitForAllParts is about parts of one server, for which a version means the same.
func TestWaitForAllParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		namespaces := source.NewNamespaces("a", "b")
		inf := newInformer(byNamespace(srv, namespaces))
		start(t, inf)
		if err := inf.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		rv := srv.Set(in("a", "1"))
		patience, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := inf.WaitFor(patience, rv)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), ", source b") {
			t.Errorf("before the other namespace has heard of it: %v", err)
		}
		srv.Bookmark()
		if err := inf.WaitFor(t.Context(), rv); err != nil {
			t.Error(err)
		}
		waited := make(chan error, 1)
		go func() { waited <- inf.WaitFor(t.Context(), "100") }()
		synctest.Wait()
		if err := namespaces.Replace(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := <-waited; err != nil {
			t.Errorf("what goes need not be waited for: %v", err)
		}
	})
}

// TestPartsOverlap has two parts with an object in common: it stays until both have
// lost it, in its latest state.
func TestPartsOverlap(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(in("a", "1"))
		srv.Set(in("b", "2"))
		namespaces := source.NewNamespaces("a")
		inf := newInformer(byNamespace(srv, namespaces))
		r := &recorder{}
		inf.AddEventHandler(r, opts...)
		start(t, inf)
		expect(t, r, "+1*")
		if err := namespaces.Replace(t.Context(), "a", ""); err != nil {
			t.Fatal(err)
		}
		expect(t, r, "+2*")
		changed := widget("1", "v", "x")
		changed.Namespace = "a"
		srv.Set(changed)
		expect(t, r, "~1x")
		if err := namespaces.Replace(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		expect(t, r, "")
		srv.Delete("a", "1")
		expect(t, r, "-1x")
		if err := namespaces.Replace(t.Context()); err != nil {
			t.Fatal(err)
		}
		expect(t, r, "-2?")
	})
}

// TestPartsFollowTheirSet is about what Set promises for changes one after the other, and
// for several informers.
func TestPartsFollowTheirSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		all := []string{"a", "b", "c", "d", "e"}
		for _, ns := range all {
			srv.Set(in(ns, "1"))
		}
		namespaces := source.NewNamespaces("a", "a")
		infs := []*informer.Informer[*object]{
			newInformer(byNamespace(srv, namespaces)),
			newInformer(byNamespace(srv, namespaces)),
		}
		start(t, infs[0])
		stop := start(t, infs[1])
		synctest.Wait() // who does not follow the set yet is not waited for
		done := make(chan error)
		for n := range all {
			go func() { done <- namespaces.Replace(t.Context(), all[n:]...) }()
		}
		for range all {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		want := namespaces.Parts()
		for _, inf := range infs {
			var got []string
			for o := range inf.Store().Reader().All() {
				got = append(got, o.Namespace)
			}
			if slices.Sort(got); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("the informer has %v of %v", got, want)
			}
		}
		stop()
		// One that does not run follows when it does.
		if err := namespaces.Replace(t.Context(), "c"); err != nil {
			t.Error(err)
		}
		if n := infs[0].Store().Reader().Len(); n != 1 {
			t.Errorf("the informer that runs has %d", n)
		}
		start(t, infs[1])
		time.Sleep(time.Second)
		if n := infs[1].Store().Reader().Len(); n != 1 {
			t.Errorf("the informer that was run again has %d", n)
		}
	})
}

// existing returns all objects of a server, even if it is set to fail.
func existing(srv *runtimetest.Server[*object]) (all []*object) {
	for range 1000 {
		_, err := srv.List(context.Background(), metav1.ListOptions{}, func(item source.Delta[*object], err error) error {
			all = append(all, item.Object)
			return nil
		})
		if err == nil {
			break
		}
	}
	return all
}
