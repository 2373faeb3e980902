// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package queue_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
)

var bg = context.Background()

// TestReference feeds random writes to a queue and what it hands out to a store, and
// compares the store with what the source held. In order, it also compares the deltas
// and resourceVersions with those written.
func TestReference(t *testing.T) {
	for _, kind := range kinds {
		for seed := range uint64(300) {
			t.Run(fmt.Sprintf("%v/seed %d", kind, seed), func(t *testing.T) {
				reference(t, kind, rand.New(rand.NewPCG(seed, uint64(kind))))
			})
		}
	}
}

func reference(t *testing.T, kind kind, rnd *rand.Rand) {
	store := newKnown()
	q := kind.newQueue(config{BatchSize: 4, KnownObjects: store})
	truth := map[string]thing{}
	state, popped := 0, 0
	rv, gotRV := "", ""
	pop := func() {
		must(t, q.Pop(bg, func(b *batch) error {
			popped++
			if kind == inOrder && !b.Replace && len(b.Deltas) > 4 && b.Deltas[0].Type != delta.Sync {
				t.Errorf("a batch of %d, allowed are 4", len(b.Deltas))
			}
			for i, d := range b.Deltas {
				if kind == perObject && d.Key != b.Deltas[0].Key {
					t.Errorf("two objects in one batch: %v", b.Deltas)
				}
				if i > 0 && kind == perObject && d.Type == delta.Deleted && b.Deltas[i-1].Type == delta.Deleted {
					t.Errorf("double delete: %v", b.Deltas)
				}
			}
			if rnd.IntN(10) == 0 {
				return fmt.Errorf("again: %w", queue.ErrRequeue)
			}
			store.apply(t, b)
			if b.ResourceVersion != "" {
				gotRV = b.ResourceVersion
			}
			return nil
		}))
	}
	full, cancel := context.WithCancel(bg)
	cancel()
	write := func(do func(context.Context) error) {
		for { // a write that has to wait for room fails at once
			err := do(full)
			if err == nil {
				return
			}
			pop()
		}
	}
	for range 200 {
		state++
		key := "k" + strconv.Itoa(rnd.IntN(8))
		obj := thing{key, state}
		rv = strconv.Itoa(state)
		switch rnd.IntN(12) {
		case 0:
			if _, ok := truth[key]; ok || rnd.IntN(2) == 0 {
				delete(truth, key)
				write(func(ctx context.Context) error {
					return q.Push(ctx, thingDelta{Type: delta.Deleted, Key: key, Object: obj}, rv)
				})
			}
		case 1:
			clear(truth)
			list := batch{ResourceVersion: rv}
			for i := range rnd.IntN(8) {
				o := thing{"k" + strconv.Itoa(i), state}
				truth[o.key] = o
				list.Deltas = append(list.Deltas, thingDelta{Type: delta.Replaced, Key: o.key, Object: o})
			}
			write(func(ctx context.Context) error {
				list := list
				list.Deltas = slices.Clone(list.Deltas) // the queue owns them, also if there was no room
				return q.Replace(ctx, list)
			})
		case 2:
			must(t, q.Bookmark(rv))
		case 3:
			must(t, q.Resync())
		case 4, 5, 6:
			if q.Len() > 0 {
				pop()
			}
		default:
			typ := delta.Added
			if _, ok := truth[key]; ok {
				typ = delta.Updated
			}
			truth[key] = obj
			write(func(ctx context.Context) error {
				return q.Push(ctx, thingDelta{Type: typ, Key: key, Object: obj}, rv)
			})
		}
	}
	must(t, q.Bookmark(rv))
	for range 1000 {
		if q.Len() == 0 && (kind == perObject || gotRV == rv) {
			break
		}
		pop()
	}
	if got := store.copy(); !reflect.DeepEqual(got, truth) {
		t.Errorf("the consumer has %v, the source %v", got, truth)
	}
	if kind == inOrder && gotRV != rv {
		t.Errorf("reached resourceVersion %s of %s", gotRV, rv)
	}
	if !q.HasSynced() {
		t.Error("not synced")
	}
}

// TestConcurrent has producers, a replacing producer and two consumers work at once.
// The last list says what exists.
func TestConcurrent(t *testing.T) {
	for _, kind := range kinds {
		store := newKnown()
		q := kind.newQueue(config{BatchSize: 16, KnownObjects: store})
		var consumers, producers sync.WaitGroup
		for range 2 {
			consumers.Go(func() {
				for {
					err := q.Pop(bg, func(b *batch) error {
						for _, d := range b.Deltas {
							store.mu.Lock()
							if d.Type == delta.Deleted {
								delete(store.things, d.Key)
							} else {
								store.things[d.Key] = d.Object
							}
							store.mu.Unlock()
						}
						return nil
					})
					if errors.Is(err, queue.ErrClosed) {
						return
					}
				}
			})
		}
		for p := range 4 {
			producers.Go(func() {
				for i := range 2000 {
					obj := thing{fmt.Sprintf("k%d-%d", p, i%50), i}
					switch i % 7 {
					case 0:
						_ = q.Delete(bg, obj)
					case 1:
						_ = q.Resync()
					default:
						_ = q.Update(bg, obj)
					}
				}
			})
		}
		producers.Go(func() {
			for i := range 50 {
				_ = q.Replace(bg, listOf(thing{"r", i}))
			}
		})
		producers.Wait()
		want := map[string]thing{"r": {"r", 99}, "s": {"s", 99}}
		must(t, q.Replace(bg, listOf(want["r"], want["s"])))
		q.Close()
		consumers.Wait()
		if got := store.copy(); !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %d objects left, want %v", kind, len(got), want)
		}
	}
}

func TestProducerWaitsAtTwoFullBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := inOrder.newQueue(config{BatchSize: 3})
		pushed := 0
		ctx, cancel := context.WithCancelCause(t.Context())
		var ended error
		go func() {
			for ended == nil {
				if ended = q.Add(ctx, thing{"k", pushed}); ended == nil {
					pushed++
				}
			}
		}()
		synctest.Wait()
		if pushed != 6 {
			t.Errorf("%d deltas are pending before the producer waits, want 6", pushed)
		}
		must(t, q.Pop(bg, func(b *batch) error {
			if len(b.Deltas) != 3 || b.Deltas[2].Object.state != 2 {
				t.Errorf("got %v", b.Deltas)
			}
			synctest.Wait() // what is being processed no longer takes up room
			if pushed != 9 {
				t.Errorf("%d deltas were pushed, want 9", pushed)
			}
			return nil
		}))
		why := errors.New("why")
		cancel(why)
		synctest.Wait()
		if !errors.Is(ended, why) {
			t.Errorf("the producer got %v", ended)
		}
		if pushed != 9 || q.Len() != 6 {
			t.Errorf("%d deltas were pushed and %d are pending, want 9 and 6", pushed, q.Len())
		}
	})
}

func TestListCountsAsABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := inOrder.newQueue(config{BatchSize: 2})
		replaced := 0
		go func() {
			for q.Replace(t.Context(), listOf(make5()...)) == nil {
				replaced++
			}
		}()
		synctest.Wait()
		if replaced != 2 {
			t.Errorf("%d lists are pending before the producer waits, want 2", replaced)
		}
		q.Close()
	})
}

// A batch reuses the memory of a processed one.
func TestBatchesReuseMemory(t *testing.T) {
	q := inOrder.newQueue(config{BatchSize: 8})
	allocs := testing.AllocsPerRun(100, func() {
		for i := range 8 {
			must(t, q.Add(bg, thing{"a", i}))
		}
		must(t, q.Pop(bg, func(*batch) error { return nil }))
	})
	if allocs > 3 {
		t.Errorf("%v allocations for each batch", allocs)
	}
}

func make5() []thing { return []thing{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}} }

func TestCloseWakesEveryone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := inOrder.newQueue(config{BatchSize: 1})
		errs := make(chan error, 6)
		must(t, q.Add(bg, thing{"a", 1}))
		must(t, q.Add(bg, thing{"a", 2}))
		for range 3 {
			go func() { errs <- q.Add(bg, thing{"a", 3}) }()
		}
		synctest.Wait()
		q.Close()
		q.Close()
		for range 3 {
			if err := <-errs; !errors.Is(err, queue.ErrClosed) {
				t.Errorf("a waiting producer got %v", err)
			}
		}
		if n := len(popAll(t, q, nil)); n != 2 {
			t.Errorf("a closed queue handed out %d batches, want the 2 that were pending", n)
		}
		empty := inOrder.newQueue(config{})
		for range 3 {
			go func() { errs <- empty.Pop(bg, func(*batch) error { return nil }) }()
		}
		synctest.Wait()
		empty.Close()
		for range 3 {
			if err := <-errs; !errors.Is(err, queue.ErrClosed) {
				t.Errorf("a waiting consumer got %v", err)
			}
		}
		for _, err := range []error{empty.Bookmark("1"), empty.Resync(), empty.Replace(bg, batch{})} {
			if !errors.Is(err, queue.ErrClosed) {
				t.Errorf("a write to a closed queue got %v", err)
			}
		}
	})
}

func TestPopEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := inOrder.newQueue(config{})
		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(t.Context())
		errs := make(chan error, 2)
		for range 2 { // one waits for a batch, one for its turn
			go func() { errs <- q.Pop(ctx, func(*batch) error { return nil }) }()
		}
		synctest.Wait()
		cancel(why)
		for range 2 {
			if err := <-errs; !errors.Is(err, why) {
				t.Errorf("got %v", err)
			}
		}
	})
}

// A consumer that waited for another Pop finds the writes made meanwhile, although Pop raises no signal
// when it returns.
func TestNextConsumerFindsWhatIsPending(t *testing.T) {
	for _, kind := range kinds {
		synctest.Test(t, func(t *testing.T) {
			q := kind.newQueue(config{BatchSize: 1})
			popped := 0
			for range 3 {
				go func() {
					must(t, q.Pop(t.Context(), func(*batch) error {
						if popped++; popped == 1 {
							must(t, q.Add(t.Context(), thing{"b", 1}))
							must(t, q.Add(t.Context(), thing{"c", 1}))
						}
						return nil
					}))
				}()
			}
			synctest.Wait()
			must(t, q.Add(t.Context(), thing{"a", 1}))
			synctest.Wait()
			if popped != 3 || q.Len() != 0 {
				t.Errorf("%v: %d objects were popped and %d are pending, want 3 and 0", kind, popped, q.Len())
			}
		})
	}
}
