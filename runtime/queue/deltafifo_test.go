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
	"strconv"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
)

var bg = context.Background()

// TestDeltaFIFOReference feeds random writes to a queue and what it hands out to a store, and
// compares the store with what the source held.
func TestDeltaFIFOReference(t *testing.T) {
	for seed := range uint64(300) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			reference(t, rand.New(rand.NewPCG(seed, 1)))
		})
	}
}

func reference(t *testing.T, rnd *rand.Rand) {
	store := newKnown()
	q := newQueue(store)
	truth := map[string]thing{}
	state := 0
	pop := func() {
		must(t, q.Pop(bg, func(b *batch) error {
			for i, d := range b.Deltas {
				if d.Key != b.Deltas[0].Key {
					t.Errorf("two objects in one batch: %v", b.Deltas)
				}
				if i > 0 && d.Type == delta.Deleted && b.Deltas[i-1].Type == delta.Deleted {
					t.Errorf("double delete: %v", b.Deltas)
				}
			}
			if rnd.IntN(10) == 0 {
				return fmt.Errorf("again: %w", queue.ErrRequeue)
			}
			if rnd.IntN(4) == 0 {
				must(t, q.Resync())
			}
			store.apply(t, b)
			return nil
		}))
	}
	for range 200 {
		state++
		key := "k" + strconv.Itoa(rnd.IntN(8))
		obj := thing{key, state}
		switch rnd.IntN(12) {
		case 0:
			if _, ok := truth[key]; ok || rnd.IntN(2) == 0 {
				delete(truth, key)
				must(t, q.Push(bg, thingDelta{Type: delta.Deleted, Key: key, Object: obj}, ""))
			}
		case 1:
			clear(truth)
			list := batch{}
			for i := range rnd.IntN(8) {
				o := thing{"k" + strconv.Itoa(i), state}
				truth[o.key] = o
				list.Deltas = append(list.Deltas, thingDelta{Type: delta.Replaced, Key: o.key, Object: o})
			}
			must(t, q.Replace(bg, list))
		case 2:
			must(t, q.Bookmark(""))
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
			must(t, q.Push(bg, thingDelta{Type: typ, Key: key, Object: obj}, ""))
		}
	}
	for q.Len() > 0 {
		pop()
	}
	if got := store.copy(); !reflect.DeepEqual(got, truth) {
		t.Errorf("the consumer has %v, the source %v", got, truth)
	}
	if !q.HasSynced() {
		t.Error("not synced")
	}
}

// TestConcurrent has producers, a replacing producer and two consumers work at once.
// The last list says what exists.
func TestConcurrent(t *testing.T) {
	store := newKnown()
	q := newQueue(store)
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
		t.Errorf("%d objects left, want %v", len(got), want)
	}
}

func make5() []thing { return []thing{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}} }

func TestCloseWakesEveryone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(nil)
		errs := make(chan error, 3)
		for range 3 {
			go func() { errs <- q.Pop(bg, func(*batch) error { return nil }) }()
		}
		synctest.Wait()
		q.Close()
		q.Close()
		for range 3 {
			if err := <-errs; !errors.Is(err, queue.ErrClosed) {
				t.Errorf("a waiting consumer got %v", err)
			}
		}
		for _, err := range []error{q.Add(bg, thing{"a", 1}), q.Bookmark("1"), q.Resync(), q.Replace(bg, batch{})} {
			if !errors.Is(err, queue.ErrClosed) {
				t.Errorf("a write to a closed queue got %v", err)
			}
		}
		pending := newQueue(nil)
		must(t, pending.Add(bg, thing{"a", 1}))
		must(t, pending.Add(bg, thing{"b", 1}))
		pending.Close()
		if n := len(popAll(t, pending, nil)); n != 2 {
			t.Errorf("a closed queue handed out %d batches, want the 2 that were pending", n)
		}
	})
}

func TestPopEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(nil)
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
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(nil)
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
			t.Errorf("%d objects were popped and %d are pending, want 3 and 0", popped, q.Len())
		}
	})
}
