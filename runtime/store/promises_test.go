// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func fill(t testing.TB, f fixture, n int) []*item {
	t.Helper()
	items := make([]*item, n)
	for i := range items {
		items[i] = &item{key: fmt.Sprint("k", i), node: fmt.Sprint("n", i%10), labels: []string{"all", fmt.Sprint("l", i%3)}}
		if err := f.Set(items[i]); err != nil {
			t.Fatal(err)
		}
	}
	return items
}

func TestSequenceShowsTheStoreAsRangingBegan(t *testing.T) {
	t.Run("written aside", func(t *testing.T) { sequenceShowsTheStoreAsRangingBegan(t, newFixture()) })
	t.Run("written in place", func(t *testing.T) { sequenceShowsTheStoreAsRangingBegan(t, newUnordered()) })
}

func sequenceShowsTheStoreAsRangingBegan(t *testing.T, f fixture) {
	fill(t, f, 500)
	n := 0
	for it := range f.byLabel.Of(f.Reader(), "all") {
		// The body does what it likes: deletes, adds, reads, ranges again.
		f.Delete(it.key)
		f.Set(&item{key: "new-" + it.key, node: it.node, labels: []string{"all"}})
		if _, ok := f.Reader().Get(it.key); ok {
			t.Fatalf("%s is still there after its deletion", it.key)
		}
		for range f.byNode.Of(f.Reader(), it.node) {
			break
		}
		if n++; n == 100 {
			for i := range 400 { // what is yet to come goes, and others come
				f.Delete(fmt.Sprint("k", i))
			}
			for i := range 50 {
				f.Set(&item{key: fmt.Sprint("new-other", i), labels: []string{"all"}})
			}
		}
		if !strings.HasPrefix(it.key, "k") {
			t.Fatalf("%s came after ranging had begun", it.key)
		}
	}
	if n != 500 {
		t.Errorf("saw %d of 500", n)
	}
	for it := range f.Reader().All() {
		if !strings.HasPrefix(it.key, "new-") {
			t.Fatalf("%s was not replaced", it.key)
		}
	}
}

func TestSequenceIsLazy(t *testing.T) {
	f := newFixture()
	seq := f.byNode.Of(f.Reader(), "n1")
	fill(t, f, 20)
	if n := len(slices.Collect(seq)); n != 2 {
		t.Errorf("a sequence made before the writes yields %d, want the 2 there are when ranging begins", n)
	}
}

func TestIndexFunctionThatPanics(t *testing.T) {
	var reported []error
	s := store.New(func(it *item) string { return it.key }, store.WithErrorHandler(func(err error) { reported = append(reported, err) }))
	bad := store.AddIndex(s, "bad", func(dst []string, it *item) []string {
		if it.node == "boom" {
			panic("no node")
		}
		return append(dst, it.node)
	})
	good := store.AddIndex(s, "good", nodeOf)
	for _, node := range []string{"a", "boom", "b"} {
		if err := s.Set(&item{key: "x", node: node}); err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Reader().Get("x"); !ok {
			t.Fatalf("node %s: rejected", node)
		}
		if good.Count(s.Reader(), node) != 1 {
			t.Errorf("node %s: another index has lost it", node)
		}
		if want := node != "boom"; bad.Count(s.Reader(), node) == 1 != want {
			t.Errorf("node %s: indexed: %v", node, !want)
		}
	}
	if bad.Count(s.Reader(), "a") != 0 {
		t.Error("an old value outlives a failed update")
	}
	var ie *store.IndexError
	if len(reported) != 1 || !errors.As(reported[0], &ie) || ie.Index != "bad" || ie.Key != "x" {
		t.Fatalf("reported %v", reported)
	}
	if n, last := s.IndexErrors(); n != 1 || last != reported[0] {
		t.Errorf("IndexErrors = %d, %v", n, last)
	}
}

func TestImpureFunctionLeavesNoStaleEntry(t *testing.T) {
	for name, after := range map[string][]string{
		"other value":    {"changed"},
		"fewer values":   {"a"},
		"more values":    {"a", "b", "c"},
		"no value":       nil,
		"one of several": {"a", "changed"},
	} {
		for _, deleted := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " deleted ", deleted), func(t *testing.T) {
				says := []string{"a", "b"}
				s := store.New(func(it *item) string { return it.key })
				ix := store.AddIndex(s, "impure", func(dst []string, it *item) []string { return append(dst, says...) })
				s.Set(&item{key: "x"})
				says = after
				if deleted {
					s.Delete("x")
					says = nil
					s.Set(&item{key: "takes the slot"})
				} else {
					s.Set(&item{key: "x", rev: 1})
				}
				got := map[string]int{}
				for v, n := range ix.Values(s.Reader()) {
					got[v] = n
				}
				if len(got) != len(says) {
					t.Errorf("the index has %v, the function says %v", got, says)
				}
				if n, err := s.IndexErrors(); n == 0 || !errors.Is(err, store.ErrImpure) {
					t.Errorf("not reported: %d, %v", n, err)
				}
			})
		}
	}
}

func TestWrittenObjectIsRepaired(t *testing.T) {
	f := newFixture()
	it := &item{key: "x", node: "before"}
	f.Set(it)
	it.node = "after" // what nobody may do to a cached object
	f.Set(&item{key: "x", node: "after"})
	if f.byNode.Count(f.Reader(), "before") != 0 || f.byNode.Count(f.Reader(), "after") != 1 {
		t.Error("the index still has the object where it was before somebody wrote to it")
	}
}

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
	store.AddIndex(s, "slow", func(dst []string, it *item) []string {
		close(entered)
		<-release
		return dst
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Set(&item{key: "x"})
	}()
	<-entered
	// All of these would block for ever if they waited for the writer.
	r := s.Reader()
	r.Get("x")
	r.Len()
	for range r.Snapshot().All() {
		t.Error("the write shows before it is done")
	}
	close(release)
	<-done
}

// slow is an object whose name can take long to read.
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

// The keys of objects are read by methods of theirs, under no lock: nobody has to
// wait for one, be it by a reader.
func TestWritersDoNotWaitForReadersOfKeys(t *testing.T) {
	s := store.ForObjects[*slow]()
	o := &slow{ObjectMeta: metav1.ObjectMeta{Name: "a"}, entered: make(chan struct{}), release: make(chan struct{})}
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
	s.OnError(func(error) { // would wait for ever, if the writer held a lock
		told++
		s.Set(&item{key: fmt.Sprint("told", told), node: "n"})
		s.OnError(func(error) {})()
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

func TestAddIndexWhileInUse(t *testing.T) {
	f := newFixture()
	fill(t, f, 300)
	old := f.Reader().Snapshot()
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 300 {
			f.Set(&item{key: fmt.Sprint("k", i), node: "moved"})
		}
	})
	ix := store.AddIndex(f.Store, "late", nodeOf)
	wg.Wait()
	if n := ix.Count(f.Reader(), "moved"); n != 300 {
		t.Errorf("the late index has %d of 300", n)
	}
	for i := range 300 {
		f.Set(&item{key: fmt.Sprint("k", i), node: fmt.Sprint("again", i%2)})
	}
	if a, b := ix.Count(f.Reader(), "again0"), ix.Count(f.Reader(), "again1"); a != 150 || b != 150 || ix.Len(f.Reader()) != 2 {
		t.Errorf("the late index has %d and %d of 150 each, under %d values", a, b, ix.Len(f.Reader()))
	}
	if n, err := f.IndexErrors(); n > 0 {
		t.Errorf("%d index errors, the last: %v", n, err)
	}
	if n := len(slices.Collect(ix.Of(old, "n3"))); n != 30 || ix.Count(old, "n3") != 30 {
		t.Errorf("over an older snapshot it finds %d, want 30", n)
	}
	n := 0
	for range ix.Values(old) {
		n++
	}
	if n != 10 {
		t.Errorf("over an older snapshot it has %d values, want 10", n)
	}
	other := newFixture()
	fill(t, other, 10)
	if n := len(slices.Collect(ix.Of(other.Reader(), "n3"))); n != 1 {
		t.Errorf("over another store it finds %d, want 1", n)
	}
}

func TestObjectWithoutAKey(t *testing.T) {
	s := store.ForObjects[*metav1.PartialObjectMetadata]()
	var ke *store.KeyError
	if err := s.Set(nil); !errors.As(err, &ke) {
		t.Errorf("Set(nil) = %v", err)
	}
	good := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	if err := s.Set(good); err != nil {
		t.Fatal(err)
	}
	err := s.Replace([]*metav1.PartialObjectMetadata{good.DeepCopy(), nil}, "7")
	if !errors.As(err, &ke) || ke.Position != 1 {
		t.Errorf("Replace = %v", err)
	}
	if got, ok := s.Reader().Get(types.NamespacedName{Name: "a"}); got != good || !ok || s.Reader().ResourceVersion() != "" {
		t.Error("a failed Replace has done something")
	}
}

func TestZeroValues(t *testing.T) {
	var r store.Reader[string, *item]
	var ix store.Index[string, *item, string]
	for range r.Snapshot().All() {
		t.Error("an object from nowhere")
	}
	for range r.Keys() {
		t.Error("a key from nowhere")
	}
	for range ix.Of(newFixture().Reader(), "x") {
		t.Error("an object from nowhere")
	}
	if _, ok := r.Get("x"); ok || r.Len() != 0 || ix.Count(r, "") != 0 || r.Stale("x") || r.ResourceVersion() != "" || ix.Name() != "" {
		t.Error("a zero Reader or Index finds something")
	}
	if r.WaitFor(t.Context(), "5") == nil {
		t.Error("a zero Reader has caught up")
	}
}

func TestWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		apply := func(rv string, rewind bool) {
			var b store.Batch[string, *item]
			b.ResourceVersion(rv)
			if rewind {
				b.Rewind()
			}
			if err := f.Apply(&b); err != nil {
				t.Error(err)
			}
		}
		wait := func(rv string) <-chan error {
			ch := make(chan error, 1)
			go func() { ch <- f.Reader().WaitFor(t.Context(), rv) }()
			synctest.Wait()
			return ch
		}
		pending := func(ch <-chan error) {
			t.Helper()
			synctest.Wait()
			select {
			case err := <-ch:
				t.Fatalf("did not wait: %v", err)
			default:
			}
		}
		ch := wait("10")
		pending(ch)
		apply("9", false)
		pending(ch)
		apply("10", false)
		if err := <-ch; err != nil {
			t.Error(err)
		}
		if err := <-wait("10"); err != nil {
			t.Error(err)
		}
		if err := <-wait("9"); err != nil {
			t.Error(err)
		}
		ch = wait("100")
		apply("3", true)
		if err := <-ch; !errors.Is(err, store.ErrRewound) {
			t.Errorf("after a rewind: %v", err)
		}
		if err := <-wait("not a version"); err == nil {
			t.Error("a version without order was waited for")
		}
		if err := <-wait(""); err != nil {
			t.Error(err)
		}
		if err := f.Reader().Snapshot().WaitFor(t.Context(), "50"); err == nil {
			t.Error("a snapshot has moved")
		}
		if err := f.Reader().Snapshot().WaitFor(t.Context(), "2"); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := f.Reader().WaitFor(ctx, "50"); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), `50, the store is at "3"`) {
			t.Errorf("canceled: %v", err)
		}
	})
}

// Once an object has gone, nothing in the store holds it: not its slot, nor
// what the last write had in hand.
func TestDeletedObjectIsLetGo(t *testing.T) {
	for name, goes := range map[string]func(s *store.Store[string, *item], b *store.Batch[string, *item]){
		"deleted":  func(s *store.Store[string, *item], _ *store.Batch[string, *item]) { s.Delete("x") },
		"replaced": func(s *store.Store[string, *item], _ *store.Batch[string, *item]) { s.Set(&item{key: "x", node: "m"}) },
		"relisted": func(s *store.Store[string, *item], _ *store.Batch[string, *item]) {
			s.Replace([]*item{{key: "y"}}, "1")
		},
		"in a batch": func(s *store.Store[string, *item], b *store.Batch[string, *item]) {
			b.Set(&item{key: "z"})
			b.Delete("x")
			s.Apply(b)
			b.Reset()
		},
	} {
		s := store.New(func(it *item) string { return it.key })
		ix := store.AddIndex(s, "node", nodeOf)
		var b store.Batch[string, *item]
		p := func() weak.Pointer[item] {
			it := &item{key: "x", node: "n"}
			b.Set(it)
			s.Apply(&b)
			b.Reset()
			return weak.Make(it)
		}()
		s.Set(&item{key: "y"})
		goes(s, &b)
		runtime.GC()
		if p.Value() != nil {
			t.Errorf("%s: the store still holds the object", name)
		}
		if ix.Count(s.Reader(), "n") != 0 {
			t.Errorf("%s: its bucket is left", name)
		}
		runtime.KeepAlive(&b)
	}
}

func TestPointReadsAndIndexReadsAllocateNothing(t *testing.T) {
	f := newFixture()
	fill(t, f, 1000)
	live, n := f.Reader(), 0
	for name, r := range map[string]store.Reader[string, *item]{"live": live, "frozen": live.Snapshot()} {
		for read, do := range map[string]func(){
			"Get": func() { r.Get("k7") },
			"Of": func() {
				for it := range f.byNode.Of(r, "n7") {
					n += len(it.key)
				}
			},
			"Count": func() { f.byNode.Count(r, "n7") },
			"All": func() {
				for it := range r.All() {
					n += len(it.key)
				}
			},
			"Len": func() { r.Len() },
		} {
			if got := testing.AllocsPerRun(100, do); got != 0 {
				t.Errorf("%s %s: %v allocations", name, read, got)
			}
		}
	}
}

func TestUpdateInPlaceAllocatesNothing(t *testing.T) {
	f := newFixture()
	items := fill(t, f, 1000)
	next := *items[7]
	if got := testing.AllocsPerRun(100, func() { f.Set(&next) }); got > 0 {
		t.Errorf("an update that changes no index value: %v allocations", got)
	}
}

func TestReadsOfEveryKindAllocateLittle(t *testing.T) {
	f := newFixture()
	for i := range 1000 {
		f.Set(&item{key: fmt.Sprint("k", i), name: fmt.Sprint(i), age: i % 50, node: fmt.Sprint("n", i%10), labels: []string{"all"}})
	}
	live, n := f.Reader(), 0
	both := store.AllOf(f.byNode.Is("n7"), f.byAge.Is(7))
	for name, r := range map[string]store.Reader[string, *item]{"live": live, "frozen": live.Snapshot()} {
		for _, read := range []struct {
			what string
			most float64
			do   func()
		}{
			{"Snapshot", 0, func() { r.Snapshot() }},
			{"Unique.Get", 0, func() { f.byName.Get(r, "7") }},
			{"ConflictCount", 0, func() { f.byName.ConflictCount(r) }},
			{"Query.Count of one value", 0, func() { f.byNode.Count(r, "n7") }},
			{"Ascend", 6, func() {
				for it := range f.byAge.Ascend(r, store.Between(10, 12)) {
					n += len(it.key)
				}
			}},
			{"an intersection", 3, func() {
				for it := range both.Of(r) {
					n += len(it.key)
				}
			}},
		} {
			if got := testing.AllocsPerRun(100, read.do); got > read.most {
				t.Errorf("%s %s: %v allocations, want at most %v", name, read.what, got, read.most)
			}
		}
	}
}

// A snapshot that is held shares with the store all that has not changed since.
func TestHeldSnapshotPinsWhatChanged(t *testing.T) {
	f := newFixture()
	fill(t, f, 20_000)
	held := f.Reader().Snapshot()
	before := liveHeap()
	for i := range 20 {
		f.Set(&item{key: fmt.Sprint("k", i), node: "moved"})
	}
	if grown := int64(liveHeap()) - int64(before); grown > 400_000 {
		t.Errorf("20 writes beside a snapshot of 20,000 objects pin %d bytes", grown)
	}
	if held.Len() != 20_000 || f.byNode.Count(held, "moved") != 0 {
		t.Error("the snapshot has moved")
	}
}

// A snapshot costs the next write about the same in a store of any size, also if
// that write changes a bucket that all objects are in.
func TestWriteAfterSnapshotCopiesLittle(t *testing.T) {
	copied := func(n int, write func(s *store.Store[string, *item], i int)) uint64 {
		s := store.New(func(it *item) string { return it.key })
		store.AddIndex(s, "node", nodeOf)
		store.AddIndex(s, "label", labelsOf)
		for i := range n {
			s.Set(&item{key: fmt.Sprint("k", i), node: "n", labels: []string{"all"}})
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range 200 {
			s.Reader().Snapshot()
			write(s, i)
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / 200
	}
	for name, write := range map[string]func(s *store.Store[string, *item], i int){
		"update": func(s *store.Store[string, *item], i int) {
			s.Set(&item{key: fmt.Sprint("k", i), node: "n", labels: []string{"all"}})
		},
		"move": func(s *store.Store[string, *item], i int) {
			s.Set(&item{key: fmt.Sprint("k", i), node: "m", labels: []string{"all"}})
		},
		"delete": func(s *store.Store[string, *item], i int) { s.Delete(fmt.Sprint("k", i)) },
	} {
		few, many := copied(1000, write), copied(40_000, write)
		if many > 2*few+2048 {
			t.Errorf("%s: %d bytes a write among 1,000 objects, %d among 40,000", name, few, many)
		}
	}
}

func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// What a batch deletes after its Replace leaves slots to what it sets then.
func TestReplaceThenDeleteAndSet(t *testing.T) {
	s := store.New(func(it *item) string { return it.key })
	of := func(i int) *item { return &item{key: fmt.Sprint("k", i)} }
	var first []*item
	for i := range 1000 {
		first = append(first, of(i))
	}
	if err := s.Replace(first, "1"); err != nil {
		t.Fatal(err)
	}
	var b store.Batch[string, *item]
	b.Replace(first)
	for i := range 500 {
		b.Delete(first[i].key)
	}
	for i := 1000; i < 3000; i++ {
		b.Set(of(i))
	}
	if err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	for i := range 3000 {
		if _, ok := s.Reader().Get(of(i).key); ok != (i >= 500) {
			t.Fatalf("k%d is there: %v", i, ok)
		}
	}
}

// A batch that is applied again, as after an error, has the changes of the last time.
func TestChangesAreThoseOfTheLastApply(t *testing.T) {
	s := store.New(func(it *item) string {
		if it.rev < 0 {
			panic("no key")
		}
		return it.key
	})
	var b store.Batch[string, *item]
	x := &item{key: "x"}
	b.Set(x)
	if err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	first := b.Changes()
	if err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	if got := b.Changes(); len(got) != 1 || !got[0].HadOld || got[0].Old != x {
		t.Errorf("the second time: %v", got)
	}
	if len(first) != 1 || first[0].HadOld {
		t.Errorf("what the first Apply did has become %v", first)
	}
	x.rev = -1
	if err := s.Apply(&b); err == nil || len(b.Changes()) != 0 {
		t.Errorf("an Apply that has failed, %v, has done %v", err, b.Changes())
	}
}

// The names of indexes are there for index functions too, and while one is added.
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
	if !slices.Equal(after, append(slices.Clone(before), "late")) || !slices.Equal(during[0], before) || !slices.Equal(during[1], after) {
		t.Errorf("before %v, during %v, after %v", before, during, after)
	}
	if n := store.New(func(it *item) string { return it.key }).Indexes(); len(n) != 0 {
		t.Errorf("an empty store has %v", n)
	}
}
