// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Known defects of client-go 0.37.2, beside our behavior. If one of these tests finds that client-go
// behaves correctly, the streams should cover that case.

// A WatchList ends without its final bookmark: client-go tries again at once and forever,
// kubernetes/kubernetes#140890. Ours makes three attempts with backoff, then lists.
func TestWatchListWithoutItsBookmark(t *testing.T) {
	silence()
	const enough = 1000
	serve := func() *server {
		s := newServer()
		s.streams, s.cached, s.unmarked = true, true, 1<<30
		s.hangs = enough // for if it went on, no time would ever pass
		s.change(set, 1)
		return s
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := serve()
		began := time.Now()
		informer := newTheirs(s, true, 0)
		go informer.run(ctx)
		synctest.Wait()
		if s.requests < enough || time.Since(began) > 0 || informer.HasSynced() {
			t.Errorf(
				"client-go has made %d requests in %v, synced %v: it no longer asks without end",
				s.requests,
				time.Since(began),
				informer.HasSynced(),
			)
		}
		cancel()
		<-informer.ended
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := serve()
		informer := newOurs(s, true)
		go informer.run(ctx)
		patience, end := context.WithTimeout(ctx, 10*time.Second)
		defer end()
		if err := informer.WaitForSync(patience); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if s.requests != 5 { // three attempts, a list, a watch
			t.Errorf("ours has made %d requests", s.requests)
		}
		s.do(func() { s.change(set, 2) })
		synctest.Wait()
		if n := informer.Store().Reader().Len(); n != 2 {
			t.Errorf("ours has %d objects", n)
		}
		// The informer remembers this: the next time it lists.
		s.do(func() { s.compacted, s.cutWith = s.version+1, faults[2].err; s.cuts++; s.version++ })
		time.Sleep(time.Minute)
		synctest.Wait()
		if s.requests != 7 || !s.rests() {
			t.Errorf("ours has made %d requests", s.requests)
		}
		cancel()
		<-informer.ended
	})
}

// blue is an index function that fails for some objects.
func blue(obj *object) []string {
	if obj.Name == "bad" {
		panic("this index function panics at bad objects")
	}
	return []string{obj.Name}
}

// An index function fails or panics. client-go panics under the store's lock, with the object in the
// store but not in all indexes; in an informer this ends the program. Ours reports the error, and the
// object is found by its key and by the other indexes.
func TestIndexFunctionThatFails(t *testing.T) {
	bad, good := &object{}, &object{}
	bad.Namespace, bad.Name, good.Namespace, good.Name = "ns", "bad", "ns", "good"

	for name, fn := range map[string]cache.IndexFunc{
		"error": func(obj any) ([]string, error) { return nil, errors.New("no value") },
		"panic": func(obj any) ([]string, error) { return blue(obj.(*object)), nil },
	} {
		theirs := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{"blue": fn})
		panicked := func() (v any) {
			defer func() { v = recover() }()
			return theirs.Add(bad)
		}()
		if panicked == nil {
			t.Errorf("%s: client-go no longer panics", name)
		}
		if _, there, _ := theirs.GetByKey("ns/bad"); !there {
			t.Errorf("%s: client-go no longer keeps what it panicked at", name)
		}
	}

	var (
		ours   *store.Store[types.NamespacedName, *object]
		failed []error
	)
	ours = store.ForObjects[*object](store.WithErrorHandler(func(err error) {
		// No lock is held: the store can be read and written.
		if _, there := ours.Reader().Get(store.KeyOf(bad)); !there {
			t.Error("the object that is reported is not in the store")
		}
		if err := ours.Set(good); err != nil {
			t.Error(err)
		}
		failed = append(failed, err)
	}))
	byBlue := store.AddIndex(
		ours,
		"blue",
		func(dst []string, obj *object) []string { return append(dst, blue(obj)...) },
	)
	byName := store.AddIndex(
		ours,
		"name",
		func(dst []string, obj *object) []string { return append(dst, obj.Name) },
	)
	if err := ours.Set(bad); err != nil {
		t.Fatal(err)
	}
	var e *store.IndexError
	if len(failed) != 1 || !errors.As(failed[0], &e) || e.Index != "blue" || fmt.Sprint(e.Key) != "ns/bad" {
		t.Errorf("reported: %v", failed)
	}
	r := ours.Reader()
	if byBlue.Count(r, "bad") != 0 || byName.Count(r, "bad") != 1 || byBlue.Count(r, "good") != 1 ||
		r.Len() != 2 {
		t.Errorf("the store is not as it should be: %d objects", r.Len())
	}
}

// The indexers of a store are read while another one is added. client-go returns the map that it
// writes to, without a lock, which may end the program. This test shows that it is the same map, and
// runs ours concurrently.
func TestReadingAndAddingIndexesConcurrently(t *testing.T) {
	theirs := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	before := theirs.GetIndexers()
	if err := theirs.AddIndexers(cache.Indexers{"name": cache.MetaNamespaceIndexFunc}); err != nil {
		t.Fatal(err)
	}
	if len(before) != 1 {
		t.Error("client-go no longer hands out the map of its indexers")
	}

	const objects, indexes = 2000, 40
	ours := store.ForObjects[*object]()
	for i := range objects {
		if err := ours.Set(numbered(i, 1)); err != nil {
			t.Fatal(err)
		}
	}
	var added atomic.Pointer[store.Index[types.NamespacedName, *object, string]]
	var stop atomic.Bool
	var done sync.WaitGroup
	for range 2 {
		done.Go(func() {
			for !stop.Load() {
				if names := ours.Indexes(); !slices.IsSorted(names) {
					t.Errorf("indexes %q", names)
				}
				if x := added.Load(); x != nil {
					if n := x.Count(ours.Reader(), "7"); n != objects/10 {
						t.Errorf("an index that was added has %d objects", n)
					}
				}
			}
		})
	}
	done.Go(func() {
		for i := 0; !stop.Load(); i = (i + 1) % objects {
			if err := ours.Set(numbered(i, 2)); err != nil {
				t.Error(err)
			}
		}
	})
	for n := range indexes {
		x := store.AddIndex(ours, fmt.Sprintf("index-%02d", n), func(dst []string, obj *object) []string {
			return append(dst, obj.Name[len(obj.Name)-1:])
		})
		added.Store(&x)
	}
	stop.Store(true)
	done.Wait()
	if n := len(ours.Indexes()); n != indexes {
		t.Errorf("%d indexes", n)
	}
}

func numbered(i, version int) *object {
	obj := &object{}
	obj.Namespace, obj.Name, obj.ResourceVersion = "ns", fmt.Sprint("object-", i), fmt.Sprint(version)
	return obj
}
