// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestIndexFunctionMayRead(t *testing.T) {
	f := newFixture()
	fill(t, f, 10)
	r := f.Reader()
	ix := store.AddIndex(f.Store, "reads", func(dst []int, it *item) []int {
		for range r.Snapshot().All() {
			break
		}
		r.Get("k1")
		return append(dst, r.Len())
	})
	f.Set(&item{key: "new"})
	if ix.Count(r, 10) != 11 {
		t.Errorf("values: %v", ix.Count(r, 10))
	}
}

func TestReadersDoNotWaitForIndexFunctions(t *testing.T) {
	s := store.New(func(it *item) string { return it.key })
	entered, release := make(chan struct{}), make(chan struct{})
	ix := store.AddIndex(s, "slow", func(dst []string, it *item) []string {
		close(entered)
		<-release
		return append(dst, "v")
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Set(&item{key: "x"})
	}()
	<-entered
	// All of these would block forever if they waited for the writer: reads, positions and
	// registrations.
	r := s.Reader()
	r.Get("x")
	r.Len()
	r.Stale("x")
	r.ResourceVersion()
	store.FeederOf(s).Part("a").ResourceVersion()
	if reached, err := r.Reached(r.Epoch(), ""); !reached || err != nil {
		t.Errorf("no version is not reached: %v", err)
	}
	if err := r.WaitUntil(t.Context(), func(now store.Reader[string, *item]) bool {
		return now.Len() == 0
	}); err != nil {
		t.Error(err)
	}
	for range ix.Watch(t.Context(), r, "v") {
		break
	}
	if ix.Count(r, "v")+ix.Len(r)+ix.Equal("v").Count(r) > 0 {
		t.Error("the write shows before it is done")
	}
	store.FeederOf(s).AddErrorHandler(func(error) bool { return true })()
	s.Indexes()
	for range r.Snapshot().All() {
		t.Error("the write shows before it is done")
	}
	close(release)
	<-done
}

// slow is an object whose GetName can block.
type slow struct {
	metav1.ObjectMeta
	blocks           atomic.Bool // the next time
	entered, release chan struct{}
}

func (o *slow) GetName() string {
	if o.blocks.CompareAndSwap(true, false) {
		close(o.entered)
		<-o.release
	}
	return o.Name
}

// The key functions of objects run under no lock: no reader or writer waits for one.
func TestWritersDoNotWaitForReadersOfKeys(t *testing.T) {
	s := store.ForObjects[*slow]()
	o := &slow{
		ObjectMeta: metav1.ObjectMeta{Name: "a"},
		entered:    make(chan struct{}), release: make(chan struct{}),
	}
	s.Set(o)
	o.blocks.Store(true)
	done := make(chan bool)
	go func() {
		_, ok := s.Reader().Get(types.NamespacedName{Name: "a"})
		done <- ok
	}()
	<-o.entered
	// These would block for ever.
	s.Set(&slow{ObjectMeta: metav1.ObjectMeta{Name: "b"}})
	s.Delete(types.NamespacedName{Name: "b"})
	close(o.release)
	if !<-done {
		t.Error("not found")
	}
}

func TestErrorHandlersRunUnderNoLock(t *testing.T) {
	s := store.New(func(it *item) string { return it.key })
	store.AddIndex(s, "bad", func(dst []string, it *item) []string {
		if it.node == "boom" {
			panic("no node")
		}
		return append(dst, it.node)
	})
	told := 0
	feeder := store.FeederOf(s)
	feeder.AddErrorHandler(func(error) bool { // would wait for ever, if the writer held a lock
		told++
		s.Set(&item{key: fmt.Sprint("told", told), node: "n"})
		feeder.AddErrorHandler(func(error) bool { return true })()
		return true
	})
	s.Set(&item{key: "single", node: "boom"})
	var b store.Batch[string, *item]
	b.Set(&item{key: "one of", node: "boom"})
	b.Set(&item{key: "two", node: "n"})
	s.Apply(&b)
	s.Replace([]*item{{key: "listed", node: "boom"}}, "1")
	if _, ok := s.Reader().Get("told3"); !ok || told != 3 {
		t.Errorf("told %d times, want 3; what the handler wrote is there: %v", told, ok)
	}
}

// Index functions can read the names of indexes, also while an index is added.
func TestIndexesWaitsForNobody(t *testing.T) {
	f := newFixture()
	before := f.Indexes()
	f.Set(&item{key: "a"})
	var during [][]string
	done := make(chan struct{})
	go func() {
		defer close(done)
		store.AddIndex(f.Store, "late", func(dst []string, it *item) []string {
			during = append(during, f.Indexes())
			return append(dst, it.key)
		})
		f.Set(&item{key: "a", rev: 1})
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("Indexes waits for the index that is being added")
	}
	after := f.Indexes()
	if !slices.Equal(after, append(slices.Clone(before), "late")) || !slices.Equal(during[0], before) ||
		!slices.Equal(during[1], after) {
		t.Errorf("before %v, during %v, after %v", before, during, after)
	}
	if n := store.New(func(it *item) string { return it.key }).Indexes(); len(n) != 0 {
		t.Errorf("an empty store has %v", n)
	}
}
