// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"weak"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// numbered returns the delta of an object named n.
func numbered(n int) source.Delta[pod] {
	name := strconv.Itoa(n)
	return source.Delta[pod]{
		Type: delta.Updated, Key: types.NamespacedName{Name: name},
		Object: &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name}},
	}
}

// describe returns "b8:3 4" for a batch that leads to version 8 and holds the objects 3 and 4, and "l" in place
// of "b" for a list.
func describe(b *deltaBatch[pod]) string {
	if b == nil {
		return "none"
	}
	text := "b" + b.ResourceVersion + ":"
	if b.Replace {
		text = "l" + b.ResourceVersion + ":"
	}
	for i, d := range b.Deltas {
		if i > 0 {
			text += " "
		}
		text += d.Key.Name
	}
	return text
}

func TestBufferKeepsTheOrder(t *testing.T) {
	b := newBuffer[pod](2)
	put := func(n int, version string) {
		t.Helper()
		if err := b.put(t.Context(), numbered(n), version); err != nil {
			t.Fatal(err)
		}
	}
	list := func(version string, n ...int) {
		t.Helper()
		l := deltaBatch[pod]{Replace: true, ResourceVersion: version}
		for _, n := range n {
			l.Deltas = append(l.Deltas, numbered(n))
		}
		if err := b.appendList(t.Context(), l); err != nil {
			t.Fatal(err)
		}
	}
	take := func(want ...string) {
		t.Helper()
		for _, want := range want {
			if got := describe(b.takeRecyclingPrevious(t.Context())); got != want {
				t.Errorf("took %q, want %q", got, want)
			}
		}
	}
	b.putVersion("1")
	b.putVersion("2")
	take("b2:")
	put(1, "3")
	put(2, "")
	put(3, "5")
	b.putVersion("9") // overtakes nothing
	take("b3:1 2", "b9:3")
	list("10", 1, 2, 3)
	put(4, "11") // not into the list
	take("l10:1 2 3", "b11:4")
	list("12")
	b.putVersion("13")
	take("l13:")
	put(5, "14") // into memory that was used before
	put(6, "15")
	take("b15:5 6")
}

func TestBufferIsIdleWithNothingPendingOrTaken(t *testing.T) {
	b := newBuffer[pod](2)
	expect := func(want bool, when string) {
		t.Helper()
		if got := b.isIdle(); got != want {
			t.Errorf("%s idle is %v", when, got)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	expect(true, "at first")
	_ = b.put(t.Context(), numbered(1), "")
	expect(false, "with a delta")
	b.takeRecyclingPrevious(t.Context())
	expect(false, "while a batch is applied")
	b.takeRecyclingPrevious(ended)
	expect(true, "after that")
	b.putVersion("2")
	expect(false, "with a bookmark")
}

// A put waits while two full batches are pending. A batch that was taken no longer counts. A bookmark never waits.
func TestBufferWaitsWhileItIsFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBuffer[pod](3)
		ctx, cancel := context.WithCancelCause(t.Context())
		puts, ended := 0, error(nil)
		go func() {
			for ended == nil {
				if ended = b.put(ctx, numbered(puts), ""); ended == nil {
					puts++
				}
			}
		}()
		for _, want := range []int{6, 9, 12} {
			synctest.Wait()
			if puts != want {
				t.Errorf("%d deltas were put before the producer waits, want %d", puts, want)
			}
			if got := len(b.takeRecyclingPrevious(t.Context()).Deltas); got != 3 {
				t.Errorf("a batch of %d, want 3", got)
			}
		}
		synctest.Wait()
		b.putVersion("7")
		why := errors.New("why")
		cancel(why)
		synctest.Wait()
		if !errors.Is(ended, why) || puts != 15 {
			t.Errorf("the producer got %v after %d deltas", ended, puts)
		}
	})
}

func TestListCountsAsABatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBuffer[pod](2)
		lists := 0
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for b.appendList(ctx, deltaBatch[pod]{Replace: true, Deltas: make([]source.Delta[pod], 5)}) == nil {
				lists++
			}
		}()
		for _, want := range []int{2, 3} {
			synctest.Wait()
			if lists != want {
				t.Errorf("%d lists were put before the producer waits, want %d", lists, want)
			}
			b.takeRecyclingPrevious(t.Context())
		}
		cancel()
	})
}

func TestTakeEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBuffer[pod](2)
		ctx, cancel := context.WithCancel(t.Context())
		took := "nothing yet"
		go func() { took = describe(b.takeRecyclingPrevious(ctx)) }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if took != "none" {
			t.Errorf("took %q", took)
		}
	})
}

// A batch reuses the memory of one that was applied.
func TestBatchesReuseMemory(t *testing.T) {
	b, d := newBuffer[pod](8), numbered(1)
	allocs := testing.AllocsPerRun(100, func() {
		for range 8 {
			_ = b.put(t.Context(), d, "")
		}
		b.takeRecyclingPrevious(t.Context())
		b.putVersion("2")
		b.takeRecyclingPrevious(t.Context())
	})
	if allocs > 0 {
		t.Errorf("%v allocations for each batch and bookmark", allocs)
	}
}

// A list that was applied is not held.
func TestBufferDropsLists(t *testing.T) {
	b := newBuffer[pod](8)
	if err := b.appendList(t.Context(), deltaBatch[pod]{Replace: true, Deltas: []source.Delta[pod]{numbered(1)}}); err != nil {
		t.Fatal(err)
	}
	list := weak.Make(b.takeRecyclingPrevious(t.Context()))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	b.takeRecyclingPrevious(ended)
	if runtime.GC(); list.Value() != nil {
		t.Error("it is held")
	}
	runtime.KeepAlive(b)
}
