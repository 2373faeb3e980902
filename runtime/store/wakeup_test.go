// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"cmp"
	"context"
	"math"
	"reflect"
	"testing"
	"testing/synctest"
	"time"
)

type thing struct {
	Name, Node string
	N          int
}

// A writer that has released the lock does not fire the signals of the next writer: a watcher
// that wakes sees the write that woke it.
func TestWritersWakeTheirOwnWatchers(t *testing.T) {
	synctest.Test(t, writersWakeTheirOwnWatchers)
}

func writersWakeTheirOwnWatchers(t *testing.T) {
	s := New(func(o *thing) string { return o.Name })
	inside, release := make(chan struct{}), make(chan struct{})
	x := AddIndex(s, "Node", func(dst []string, o *thing) []string {
		if o.Name == "slow" {
			close(inside)
			<-release
		}
		return append(dst, o.Node)
	})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	seen := make(chan int)
	go func() {
		defer close(seen)
		for r := range x.Watch(ctx, s.Reader(), "n1") {
			select {
			case seen <- x.Count(r, "n1"):
			case <-ctx.Done():
			}
		}
	}()
	<-seen

	// Writer Z is at the line of Apply between publish and wakeAndReport.
	var z Batch[string, *thing]
	z.Set(&thing{Name: "z", Node: "elsewhere"})
	_ = s.readKeys(&z)
	failed := s.publish(func(v *version[string, *thing]) { s.writeBatch(v, &z.deltas, &batchRules[*thing]{}, nil) })

	// Writer A has staged (and noted) its first object, and stages its second.
	done := make(chan struct{})
	go func() {
		defer close(done)
		var a Batch[string, *thing]
		a.Set(&thing{Name: "a", Node: "n1"})
		a.Set(&thing{Name: "slow", Node: "other"})
		_, _ = s.Apply(&a)
	}()
	<-inside
	s.wakeAndReport(failed) // Z goes on, and takes nothing of A's
	select {
	case n := <-seen:
		t.Logf("woken too early: there are %d", n)
	case <-time.After(time.Second): // of the bubble
	}
	close(release)
	<-done
	for n := range seen {
		if n == 1 {
			return
		}
	}
	t.Errorf("n1 has %d object(s), the watcher was never told", x.Count(s.Reader(), "n1"))
}

func TestWatchOfNaNLeavesNothingBehind(t *testing.T) {
	s := New(func(o *thing) string { return o.Name })
	x := AddIndex(s, "F", func(dst []float64, o *thing) []float64 { return append(dst, float64(o.N)) })
	for range 1000 {
		for range x.Watch(context.Background(), s.Reader(), math.NaN()) {
			break
		}
	}
	if size(&x.index.Watchers) > 0 {
		t.Fatal("signals are left behind")
	}
}

// size returns the number of elements in the slices and maps of a struct.
func size(namespaceOf any) (n int) {
	fields := reflect.ValueOf(namespaceOf).Elem()
	for i := range fields.NumField() {
		if f := fields.Field(i); f.Kind() == reflect.Slice || f.Kind() == reflect.Map {
			n += f.Len()
		}
	}
	return n
}

// A watch that has ended leaves no signal behind, for any query.
func TestWatchLeavesNothingBehind(t *testing.T) {
	s := New(func(o *thing) string { return o.Name })
	x := AddIndex(s, "Node", func(dst []string, o *thing) []string { return append(dst, o.Node) })
	y := AddOrdered(s, "N", func(dst []int, o *thing) []int { return append(dst, o.N) }, cmp.Compare[int])
	for name, q := range map[string]Query[string, *thing]{
		"a value": x.Equal("a"), "values": x.In("a", "b"), "a span": y.Within(AtLeast(1)),
		"all": AllOf[string, *thing](), "none": {},
		"all of":       AllOf(x.Equal("a"), y.Within(Below(3))),
		"all of three": AllOf(y.Within(Below(3)), x.Equal("a"), x.Equal("b")),
		"any of":       AnyOf(x.Equal("a"), y.Within(Below(3)), AllOf[string, *thing]()),
		"but":          x.Equal("a").Except(x.Equal("b")),
	} {
		for range q.Watch(context.Background(), s.Reader()) {
			_ = s.Set(&thing{Name: "a", Node: "a", N: 2})
			break
		}
		if s.queryWatches.Watched() || size(&x.index.Watchers)+size(&y.index.Watchers)+size(&s.queryWatches) > 0 {
			t.Errorf("%s: a watch that has ended leaves signals behind", name)
		}
	}
}
