// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package corpus

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// BenchmarkRemembered reports the heap of 50 sources after many lists of 100 changing Pods each: what
// decoders remember, beside the Pods of the last list.
func BenchmarkRemembered(b *testing.B) {
	const sources, each, rounds = 50, 100, 40
	none := func(types.NamespacedName) (*corev1.Pod, bool) { return nil, false }
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / (1 << 20)
	}
	bodies := make([][]byte, rounds)
	for round := range bodies {
		var messages [][]byte
		for i := range each {
			p := pod(round*each + i)
			p.Annotations = map[string]string{"revision": fmt.Sprint(round), "index": fmt.Sprint(i)}
			for n := range p.Spec.Containers {
				p.Spec.Containers[n].Args = []string{fmt.Sprint("--round=", round), fmt.Sprint("--group=", i/4)}
			}
			data, err := p.Marshal()
			if err != nil {
				b.Fatal(err)
			}
			messages = append(messages, data)
		}
		bodies[round] = listMessage(b, messages)
	}
	for range b.N {
		before := heap()
		all := make([]source.Source[*corev1.Pod], sources)
		var held [sources][]*corev1.Pod
		for i := range all {
			reader := bytes.NewReader(nil)
			client := &http.Client{Transport: reading{reader, "application/vnd.kubernetes.protobuf"}}
			all[i] = wire.Source[*corev1.Pod](
				wire.Conn{BaseURL: "http://bench", Client: client}, corev1.SchemeGroupVersion.WithResource("pods"),
			).Reusing(none)
			for _, body := range bodies {
				reader.Reset(body)
				held[i] = nil
				if _, err := all[i].List(b.Context(), metav1.ListOptions{}, func(item source.Delta[*corev1.Pod], err error) error {
					held[i] = append(held[i], item.Object)
					return err
				}); err != nil {
					b.Fatal(err)
				}
			}
		}
		with := heap()
		runtime.KeepAlive(all)
		clear(all)
		without := heap()
		b.ReportMetric(with-before, "MB")
		b.ReportMetric(with-without, "MB/remembered")
		runtime.KeepAlive(&held)
	}
}
