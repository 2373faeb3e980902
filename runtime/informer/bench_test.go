// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const many = 100_000

func manyObjects(version int) []*object {
	objs := make([]*object, many)
	for i := range objs {
		objs[i] = &object{ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns-" + strconv.Itoa(i%100), Name: fmt.Sprintf("object-%06d", i),
			UID: types.UID(strconv.Itoa(i)), ResourceVersion: strconv.Itoa(version + i),
			Labels: map[string]string{
				"app":  "app-" + strconv.Itoa(i/200),
				"node": "node-" + strconv.Itoa(i/50),
			},
		}}
	}
	return objs
}

func indexed() *store.Store[types.NamespacedName, *object] {
	s := store.ForObjects[*object]()
	store.AddIndex(s, "namespace", func(dst []string, o *object) []string { return append(dst, o.Namespace) })
	store.AddIndex(s, "node", func(dst []string, o *object) []string { return append(dst, o.Labels["node"]) })
	store.AddIndex(s, "app", func(dst []string, o *object) []string { return append(dst, o.Labels["app"]) })
	return s
}

// BenchmarkInitialList is from the list request to the last call of a handler, for
// 100,000 objects in memory with 3 indexes.
func BenchmarkInitialList(b *testing.B) {
	objs := manyObjects(1)
	for b.Loop() {
		src := (&sourcetest.Script[*object]{NoWatchList: true}).Lists(sourcetest.Objects("200000", objs...))
		inf := informer.New(widgets, src.Source(), indexed())
		reg := inf.AddEventHandler(informer.HandlerFuncs[*object]{})
		ctx, cancel := context.WithCancel(b.Context())
		go func() { _ = inf.Run(ctx) }()
		<-reg.Synced()
		cancel()
	}
	b.ReportMetric(float64(many)*float64(b.N)/b.Elapsed().Seconds(), "objects/s")
}

// BenchmarkWatch is from the first of 100,000 updates to the last call of a handler.
func BenchmarkWatch(b *testing.B) {
	coalescing := informer.WithCoalescing()
	for _, row := range []struct {
		name     string
		handlers int
		opts     []informer.HandlerOption
	}{
		{"lossless", 1, nil},
		{"10 lossless", 10, nil},
		{"coalescing", 1, []informer.HandlerOption{coalescing}},
		{"10 coalescing", 10, []informer.HandlerOption{coalescing}},
	} {
		b.Run(row.name, func(b *testing.B) {
			objs, updates := manyObjects(1), manyObjects(200_001)
			var before, after runtime.MemStats
			var allocated uint64
			for b.Loop() {
				b.StopTimer()
				begin := make(chan struct{})
				src := (&sourcetest.Script[*object]{NoWatchList: true}).
					Lists(sourcetest.Objects("200000", objs...)).Watches(updatesOf(begin, updates))
				inf := informer.New(widgets, src.Source(), indexed())
				var calls atomic.Int64
				done := make(chan struct{})
				handler := informer.HandlerFuncs[*object]{UpdateFunc: func(_, _ *object) {
					if calls.Add(1) == int64(many*row.handlers) {
						close(done)
					}
				}}
				var regs []*informer.Registration
				for range row.handlers {
					regs = append(regs, inf.AddEventHandler(handler, row.opts...))
				}
				ctx, cancel := context.WithCancel(b.Context())
				go func() { _ = inf.Run(ctx) }()
				for _, reg := range regs {
					<-reg.Synced()
				}
				runtime.ReadMemStats(&before)
				b.StartTimer()
				close(begin)
				<-done
				b.StopTimer()
				runtime.ReadMemStats(&after)
				allocated += after.Mallocs - before.Mallocs
				cancel()
				b.StartTimer()
			}
			events := float64(many) * float64(b.N)
			b.ReportMetric(events/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(allocated)/events, "allocs/event")
		})
	}
}

// updatesOf returns a watch that sends updates once begin is closed.
func updatesOf(
	begin <-chan struct{}, updates []*object,
) sourcetest.WatchReply[*object] {
	return func(ctx context.Context, _ metav1.ListOptions, send sourcetest.Sender[*object]) error {
		<-begin
		for _, o := range updates {
			d, err := source.DeltaOf(delta.Updated, o)
			if err := send(d, o.ResourceVersion, err); err != nil {
				return err
			}
		}
		<-ctx.Done()
		return context.Cause(ctx)
	}
}
