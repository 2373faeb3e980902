// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
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
		src := (&runtimetest.Script[*object]{NoWatchList: true}).Lists(runtimetest.Objects("200000", objs...))
		inf := informer.New(widgets, src, indexed())
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
	for name, opts := range map[string][]informer.HandlerOption{"lossless": nil, "coalescing": {informer.WithCoalescing()}} {
		b.Run(name, func(b *testing.B) {
			objs, updates := manyObjects(1), manyObjects(200_001)
			for b.Loop() {
				b.StopTimer()
				begin := make(chan struct{})
				src := (&runtimetest.Script[*object]{NoWatchList: true}).Lists(runtimetest.Objects("200000", objs...)).
					Watches(func(ctx context.Context, _ metav1.ListOptions, send func(source.Event[*object]) bool) error {
						<-begin
						for _, o := range updates {
							send(
								source.Event[*object]{
									Type:            watch.Modified,
									Item:            source.Item[*object]{Object: o},
									ResourceVersion: o.ResourceVersion,
								},
							)
						}
						<-ctx.Done()
						return context.Cause(ctx)
					})
				inf := informer.New(widgets, src, indexed())
				var calls atomic.Int64
				done := make(chan struct{})
				reg := inf.AddEventHandler(informer.HandlerFuncs[*object]{UpdateFunc: func(_, _ *object) {
					if calls.Add(1) == many {
						close(done)
					}
				}}, opts...)
				ctx, cancel := context.WithCancel(b.Context())
				go func() { _ = inf.Run(ctx) }()
				<-reg.Synced()
				b.StartTimer()
				close(begin)
				<-done
				cancel()
			}
			b.ReportMetric(float64(many)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
