// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// BenchmarkList lists 50 of 10,000 Pods by a field. The loop allocates the items and copies the Pods, from
// the typed store; typed reads them without a copy.
func BenchmarkList(b *testing.B) {
	s := newAPIServer(b)
	for i := range 10_000 {
		s.pods.Set(&corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "n", Name: fmt.Sprint("pod-", i), Labels: map[string]string{"app": fmt.Sprint("app-", i%100)},
				Annotations: map[string]string{"zone": fmt.Sprint(i % 200)},
			},
			Spec: corev1.PodSpec{NodeName: fmt.Sprint("node-", i), Containers: []corev1.Container{{Name: "a", Image: "b"}}},
		})
	}
	caches := map[string]cache.Cache{}
	var pods *store.Store[types.NamespacedName, *corev1.Pod]
	for name, create := range map[string]cache.NewCacheFunc{"controller-runtime": cache.New, "NewCache": ctrlruntime.NewCache} {
		c := start(b, create, s, cache.Options{}, func(c cache.Cache) {
			if name == "NewCache" {
				pods, _ = ctrlruntime.StoreOf[*corev1.Pod](b.Context(), c)
			}
			addIndexes(b, c, "structured")
		})
		c.WaitForCacheSync(b.Context())
		caches[name] = c
	}
	zones := store.AddIndex(pods, "Zone", func(dst []string, p *corev1.Pod) []string {
		return append(dst, p.Annotations["zone"])
	})
	for mode, opts := range map[string][]client.ListOption{"copied": nil, "shared": {client.UnsafeDisableDeepCopy}} {
		opts = append(opts, client.MatchingFields{"zone": "7"})
		for name, c := range caches {
			b.Run(mode+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					list := &corev1.PodList{}
					if err := c.List(b.Context(), list, opts...); err != nil || len(list.Items) != 50 {
						b.Fatal(len(list.Items), err)
					}
				}
			})
		}
		b.Run(mode+"/loop", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := pods.Reader()
				items := make([]corev1.Pod, 0, zones.Count(r, "7"))
				for p := range zones.Get(r, "7") {
					items = items[:len(items)+1]
					if mode == "shared" {
						items[len(items)-1] = *p
					} else {
						p.DeepCopyInto(&items[len(items)-1])
					}
				}
			}
		})
	}
	b.Run("typed", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			for range zones.Get(pods.Reader(), "7") {
				n++
			}
			if n != 50 {
				b.Fatal(n)
			}
		}
	})
}
