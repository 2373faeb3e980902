// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

const benchObjects = 10_000

type benchStore struct {
	*store.Store[types.NamespacedName, *metav1.PartialObjectMetadata]
	byNode store.Index[types.NamespacedName, *metav1.PartialObjectMetadata, string]
	objs   []*metav1.PartialObjectMetadata
}

func newBenchStore() *benchStore {
	s := &benchStore{Store: store.ForObjects[*metav1.PartialObjectMetadata]()}
	s.byNode = store.AddIndex(s.Store, "node", func(dst []string, o *metav1.PartialObjectMetadata) []string {
		return append(dst, o.Annotations["node"])
	})
	store.AddNamespaces(s.Store)
	for i := range benchObjects {
		s.objs = append(s.objs, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			ResourceVersion: "1", Namespace: fmt.Sprint("ns", i%100), Name: fmt.Sprint("pod-", i),
			Annotations: map[string]string{"node": fmt.Sprint("node-", i%200)},
		}})
	}
	rand.Shuffle(len(s.objs), func(i, j int) { s.objs[i], s.objs[j] = s.objs[j], s.objs[i] })
	_ = s.Replace(s.objs, "1")
	return s
}

func BenchmarkGet(b *testing.B) {
	s := newBenchStore()
	r := s.Reader()
	keys := make([]types.NamespacedName, len(s.objs))
	for i, o := range s.objs {
		keys[i] = store.KeyOf(o)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, ok := r.Get(keys[i%len(keys)]); !ok {
			b.Fatal("not found")
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	s := newBenchStore()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_ = s.Set(s.objs[i%len(s.objs)])
	}
}

func BenchmarkUpdateInBatches(b *testing.B) {
	s := newBenchStore()
	var batch store.Batch[types.NamespacedName, *metav1.PartialObjectMetadata]
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if batch.Set(s.objs[i%len(s.objs)]); i%100 == 99 {
			_, _ = s.Apply(&batch)
			batch.Reset()
		}
	}
}

func BenchmarkByIndex(b *testing.B) {
	s := newBenchStore()
	r, n := s.Reader(), 0
	nodes := make([]string, 200)
	for i := range nodes {
		nodes[i] = fmt.Sprint("node-", i)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		for o := range s.byNode.Get(r, nodes[i%len(nodes)]) {
			n += len(o.Name)
		}
	}
}

func BenchmarkReplace(b *testing.B) {
	s := newBenchStore()
	b.ReportAllocs()
	for b.Loop() {
		_ = s.Replace(s.objs, "1")
	}
}

func BenchmarkFirstReplace(b *testing.B) {
	objs := newBenchStore().objs
	b.ReportAllocs()
	for b.Loop() {
		s := store.ForObjects[*metav1.PartialObjectMetadata]()
		store.AddNamespaces(s)
		_ = s.Replace(objs, "1")
	}
}
