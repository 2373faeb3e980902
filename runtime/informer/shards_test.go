// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sharding"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func shardOf(t *testing.T, index, count int) shard.Range {
	t.Helper()
	if !sharding.Supported() {
		t.Skip(sharding.ErrUnsupported)
	}
	r, err := shard.Of(index, count)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// shardBy returns shardOf by a field.
func shardBy(t *testing.T, by shard.Field, index, count int) shard.Range {
	t.Helper()
	r := shardOf(t, index, count)
	r.Field = by
	return r
}

// contained returns the names of what srv has in one of ranges, in order.
func contained(srv *runtimetest.Server[*object], ranges ...shard.Range) (names []string) {
	for _, o := range existing(srv) {
		if slices.ContainsFunc(ranges, func(r shard.Range) bool { return r.Contains(o) }) {
			names = append(names, keyOf(o).String())
		}
	}
	slices.Sort(names)
	return names
}

func held(inf *informer.Informer[*object]) (names []string) {
	for o := range inf.Store().Reader().All() {
		names = append(names, keyOf(o).String())
	}
	slices.Sort(names)
	return names
}

// listings counts the requests by which what exists in a shard was read.
func listings(srv *runtimetest.Server[*object], r shard.Range) (n int) {
	for _, req := range srv.Requests() {
		streams := req.Watch && req.Options.SendInitialEvents != nil
		if sharding.Selector(req.Options) == r.Selector() &&
			(streams || !req.Watch && req.Options.Limit != 1) {
			n++
		}
	}
	return n
}

// TestShardsChangeWhileTheInformerRuns has one replica go from two of four shards to
// three of them, then from those to one of two, whether the server divides or not.
func TestShardsChangeWhileTheInformerRuns(t *testing.T) {
	for _, knows := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			srv := runtimetest.NewServer[*object]()
			srv.NoShards = !knows
			for i := range 40 {
				srv.Set(widget(fmt.Sprint("w", i)))
			}
			first, second, third, half := shardOf(
				t,
				0,
				4,
			), shardOf(
				t,
				1,
				4,
			), shardOf(
				t,
				2,
				4,
			), shardOf(
				t,
				1,
				2,
			)
			shards := shard.NewSet(first, second)
			inf := newInformer(shard.Source[*object](srv.Source(), shards))
			victim := strings.TrimPrefix(contained(srv, half)[0], "ns/") // is to be deleted at the end
			told := map[string]int{}                                     // additions, less deletions
			gone := 0                                                    // deletions
			inf.AddEventHandler(informer.HandlerFuncs[*object]{
				AddFunc: func(o *object, _ bool) { told[keyOf(o).String()]++ },
				DeleteFunc: func(d informer.Tombstone[*object]) {
					told[d.Key.String()]--
					gone++
					if really := d.Key.Name == victim; d.SourceRemoved == really {
						t.Errorf("%s: %+v", d.Key, d)
					}
				},
			})
			start(t, inf)
			check := func(ranges ...shard.Range) {
				t.Helper()
				synctest.Wait()
				want := contained(srv, ranges...)
				if got := held(inf); !slices.Equal(got, want) {
					t.Errorf("the store has %v, want %v", got, want)
				}
				var heard []string
				for name, n := range told {
					if n == 1 {
						heard = append(heard, name)
					} else if n != 0 {
						t.Errorf("%s was added %d times more than deleted", name, n)
					}
				}
				if slices.Sort(heard); !slices.Equal(heard, want) {
					t.Errorf("the handler has %v, want %v", heard, want)
				}
			}
			check(first, second)
			for _, r := range []shard.Range{first, second, third} {
				if len(contained(srv, r)) == 0 {
					t.Fatalf("%v is empty, which is no test", r)
				}
			}
			if err := shards.Replace(t.Context(), first, second, third); err != nil {
				t.Fatal(err)
			}
			check(first, second, third)
			if gone > 0 {
				t.Errorf("%d objects were let go of when a shard was added", gone)
			}
			for _, r := range []shard.Range{first, second, third} {
				if n := listings(srv, r); n != 1 {
					t.Errorf("%v was listed %d times", r, n)
				}
			}
			// The third of four is a part of the second of two.
			if err := shards.Replace(t.Context(), half); err != nil {
				t.Fatal(err)
			}
			check(half)
			if want := len(contained(srv, first, second)); gone != want {
				t.Errorf("%d objects were let go of, want %d: none that is kept", gone, want)
			}
			rv := ""
			srv.Delete("ns", victim)
			for i := range 40 {
				rv = srv.Set(widget(fmt.Sprint("x", i)))
			}
			if err := inf.WaitFor(t.Context(), rv); err != nil {
				t.Fatal(err)
			}
			check(half)
		})
	}
}

// TestShardsOfNamespaces divides each of several namespaces, and changes both sets.
func TestShardsOfNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		for i := range 30 {
			srv.Set(in(fmt.Sprint(i%3), fmt.Sprint("w", i)))
		}
		namespaces := source.NewNamespaces("0", "1")
		shards := shard.NewSet(shardOf(t, 0, 2))
		inf := newInformer(shard.Source(byNamespace(srv, namespaces), shards))
		start(t, inf)
		check := func(r shard.Range, in ...string) {
			t.Helper()
			var want []string
			for _, name := range contained(srv, r) {
				if slices.Contains(in, name[:1]) {
					want = append(want, name)
				}
			}
			if got := held(inf); !slices.Equal(got, want) {
				t.Errorf("the store has %v, want %v", got, want)
			}
		}
		if err := inf.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		check(shardOf(t, 0, 2), "0", "1")
		if err := namespaces.Replace(t.Context(), "1", "2"); err != nil {
			t.Fatal(err)
		}
		check(shardOf(t, 0, 2), "1", "2")
		if err := shards.Replace(t.Context(), shardOf(t, 2, 3)); err != nil {
			t.Fatal(err)
		}
		check(shardOf(t, 2, 3), "1", "2")
		if n := len(inf.Stats().Sources); n != 2 {
			t.Errorf("%d parts, want one for each namespace", n)
		}
	})
}

// TestTombstoneOfAnotherShard: an object was replaced by one of another shard, and both are deleted. The
// late deletion of the first adds no tombstone.
func TestTombstoneOfAnotherShard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := widget("a"), widget("a")
		first.UID, first.ResourceVersion = "first", "2"
		second.UID, second.ResourceVersion = "second", "4"
		gone := func(o *object, rv string) *object {
			o = o.DeepCopy()
			o.ResourceVersion = rv
			return o
		}
		replaced, late := make(chan struct{}), make(chan struct{})
		src, _ := ofParts(map[string]source.ListerWatcher[*object]{
			"1": (&sourcetest.Script[*object]{NoWatchList: true}).Lists(sourcetest.Objects("2", first)).
				Watches(sourcetest.Stream(sourcetest.Await[*object](late), sourcetest.Deleted(gone(first, "3")), sourcetest.Hang[*object]())),
			"2": (&sourcetest.Script[*object]{NoWatchList: true}).Lists(sourcetest.Objects[*object]("2")).
				Watches(sourcetest.Stream(sourcetest.Await[*object](replaced), sourcetest.Added(second), sourcetest.Deleted(gone(second, "5")), sourcetest.Hang[*object]())),
		})
		inf := newInformer(src)
		var told []string
		inf.AddEventHandler(informer.HandlerFuncs[*object]{
			AddFunc:    func(o *object, _ bool) { told = append(told, "+"+string(o.UID)) },
			DeleteFunc: func(d informer.Tombstone[*object]) { told = append(told, "-"+string(d.Object.UID)) },
		})
		start(t, inf)
		synctest.Wait()
		close(replaced)
		synctest.Wait()
		close(late)
		synctest.Wait()
		if got := fmt.Sprint(told); got != "[+first -first +second -second]" {
			t.Errorf("told %s", got)
		}
		if n := inf.Store().Reader().Len(); n != 0 {
			t.Errorf("%d objects are left", n)
		}
	})
}

// TestShardsMirror has replicas divide what a server has, and change their number at
// random in the two steps that package shard describes, while the server writes, cuts,
// forgets and fails. At no time may an object be missing from all of them that has been
// there since before the change, and in the end each must have its own and no other.
func TestShardsMirror(t *testing.T) {
	withSeeds(t, 60, 5, 3, shardsMirrored)
}

// distant is a server that takes its time to answer.
type distant struct {
	*runtimetest.Server[*object]
	delay time.Duration
}

func (d distant) List(
	ctx context.Context,
	opts metav1.ListOptions,
	each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	time.Sleep(d.delay)
	return d.Server.List(ctx, opts, each)
}

func (d distant) Watch(ctx context.Context, opts metav1.ListOptions, each sourcetest.Sender[*object]) error {
	time.Sleep(d.delay)
	return d.Server.Watch(ctx, opts, each)
}

type replica struct {
	inf    *informer.Informer[*object]
	shards *shard.Set
	now    []shard.Range
	told   *mirror
}

func shardsMirrored(t *testing.T, rnd *rand.Rand) {
	srv := runtimetest.NewServer[*object]()
	srv.NoWatchList, srv.NoShards = rnd.IntN(2) == 0, rnd.IntN(2) == 0
	// These objects never change. Some replica must have each of them at any time.
	var lasting []types.NamespacedName
	for i := range 12 {
		o := in(fmt.Sprint(i%4, "-tenant"), fmt.Sprint("lasting", i))
		srv.Set(o)
		lasting = append(lasting, keyOf(o))
	}
	by := []shard.Field{shard.UID, shard.Namespace}[rnd.IntN(2)]
	replicas := make([]*replica, 3)
	for i := range replicas {
		r := &replica{now: []shard.Range{shardBy(t, by, i, len(replicas))}}
		r.shards = shard.NewSet(r.now...)
		r.inf = newInformer(
			shard.Source(source.Source[*object]{ListerWatcher: distant{srv, time.Duration(1+rnd.IntN(5)) * time.Millisecond}}, r.shards),
			informer.WithBatchSize(1+rnd.IntN(4)),
			informer.WithReflector(reflector.Settings{PageSize: int64(rnd.IntN(4)), Backoff: reflector.Backoff{Initial: time.Millisecond, Max: 10 * time.Millisecond}}),
		)
		r.told = &mirror{t: t, name: fmt.Sprint("replica ", i), objects: map[types.NamespacedName]*object{}}
		if rnd.IntN(2) == 0 {
			r.told.coalesce = true
			r.inf.AddEventHandler(r.told, informer.WithCoalescing())
		} else {
			r.inf.AddEventHandler(r.told, informer.WithBuffer(1+rnd.IntN(4)))
		}
		start(t, r.inf)
		replicas[i] = r
	}
	time.Sleep(20 * time.Second)
	each := func(set func(*replica) error) {
		var all sync.WaitGroup
		for _, r := range replicas {
			all.Go(func() {
				if err := set(r); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	// The number of shards changes up to so many times; some replicas may hold two.
	stop := make(chan struct{})
	rounds, plans := 1+rnd.IntN(4), make([]int, 4)
	for i := range plans {
		plans[i] = 1 + rnd.IntN(6)
	}
	var changing sync.WaitGroup
	changing.Go(func() {
		defer close(stop)
		for round := range rounds {
			next := make(map[*replica][]shard.Range)
			for i := range plans[round] {
				r := replicas[i%len(replicas)]
				next[r] = append(next[r], shardBy(t, by, i, plans[round]))
			}
			each(
				func(r *replica) error {
					return r.shards.Replace(context.Background(), slices.Concat(r.now, next[r])...)
				},
			)
			each(func(r *replica) error { return r.shards.Replace(context.Background(), next[r]...) })
			for _, r := range replicas {
				r.now = next[r]
			}
		}
	})
	for changes := true; changes; {
		select {
		case <-stop:
			changes = false
		default:
		}
		switch rnd.IntN(16) {
		case 0:
			srv.CutWatches(nil)
		case 1:
			srv.CutWatches(io.ErrUnexpectedEOF)
		case 2:
			srv.Compact()
			srv.CutWatches(nil)
		case 3:
			srv.Fail(runtimetest.TooManyRequests(0), runtimetest.Expired())
		case 4, 5, 6, 7:
			srv.Delete(fmt.Sprint(rnd.IntN(4), "-tenant"), fmt.Sprint("w", rnd.IntN(4)))
		default:
			o := widget(fmt.Sprint("w", rnd.IntN(4)), "v", fmt.Sprint(rnd.IntN(100)))
			o.Namespace = fmt.Sprint(rnd.IntN(4), "-tenant")
			srv.Set(o)
		}
		time.Sleep(time.Duration(rnd.IntN(3)) * time.Millisecond)
		synctest.Wait() // so that nothing moves while we look
		for _, key := range lasting {
			if !slices.ContainsFunc(
				replicas,
				func(r *replica) bool { _, ok := r.inf.Store().Reader().Get(key); return ok },
			) {
				t.Fatalf("%s is held by nobody", key)
			}
		}
	}
	changing.Wait()
	time.Sleep(20 * time.Second)
	for i, r := range replicas {
		if got, want := held(r.inf), contained(srv, r.now...); !slices.Equal(got, want) {
			t.Errorf("replica %d, which is to hold %v, holds\n%v, want\n%v", i, r.now, got, want)
		}
		r.told.mu.Lock()
		for o := range r.inf.Store().Reader().All() {
			if r.told.objects[keyOf(o)] != o {
				t.Errorf("replica %d: the handler has not got %s", i, o.Name)
			}
		}
		if got, want := len(r.told.objects), r.inf.Store().Reader().Len(); got != want {
			t.Errorf("replica %d: the handler has %d objects, want %d", i, got, want)
		}
		r.told.mu.Unlock()
	}
}
