// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package corpus

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"runtime"
	"syscall"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"

	jsonv2 "github.com/go-json-experiment/json"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	kjson "sigs.k8s.io/json"
)

// pods is how many there are in the list of BenchmarkForms.
const pods = 2000

// BenchmarkForms compares the forms in which an API server can send Pods, by what it costs a client to
// have them: ours beside the generated protobuf code, which client-go uses for lists and for the objects
// of watches. It counts processor time, which other work on the machine does not add to.
func BenchmarkForms(b *testing.B) {
	var list corev1.PodList
	for i := range pods {
		list.Items = append(list.Items, pod(i))
	}
	text, err := json.Marshal(&list)
	if err != nil {
		b.Fatal(err)
	}
	binary, err := list.Marshal()
	if err != nil {
		b.Fatal(err)
	}
	var each, texts [][]byte
	for i := range list.Items {
		one, err := list.Items[i].Marshal()
		if err != nil {
			b.Fatal(err)
		}
		each = append(each, one)
		if one, err = json.Marshal(&list.Items[i]); err != nil {
			b.Fatal(err)
		}
		texts = append(texts, one)
	}
	messages := listMessage(b, each)
	fromWire := func(mediaType string, held lookup, opts ...wire.Option) func(io.Reader) any {
		return func(r io.Reader) any {
			client := &http.Client{Transport: reading{r, mediaType}}
			src := wire.Source[*corev1.Pod](
				wire.Conn{BaseURL: "http://bench", Client: client},
				corev1.SchemeGroupVersion.WithResource("pods"),
				opts...)
			if held != nil {
				src = src.Reusing(held)
			}
			out := make([]*corev1.Pod, 0, pods)
			_, err := src.List(b.Context(), metav1.ListOptions{}, func(item source.Delta[*corev1.Pod], err error) error {
				out = append(out, item.Object)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			return out
		}
	}
	fromJSON := func(opts ...wire.Option) func(io.Reader) any { return fromWire("application/json", nil, opts...) }
	const inProtobuf = "application/vnd.kubernetes.protobuf"
	fromMessages := func(opts ...wire.Option) func(io.Reader) any { return fromWire(inProtobuf, nil, opts...) }
	older := map[types.NamespacedName]*corev1.Pod{}
	for _, p := range fromMessages(wire.ShareParts())(bytes.NewReader(messages)).([]*corev1.Pod) {
		p.ResourceVersion = "1"
		older[types.NamespacedName{Namespace: p.Namespace, Name: p.Name}] = p
	}
	updates := func(key types.NamespacedName) (*corev1.Pod, bool) { return older[key], true }
	fromGenerated := func(r io.Reader) any {
		body, err := io.ReadAll(r)
		if err != nil {
			b.Fatal(err)
		}
		var out corev1.PodList
		if err := out.Unmarshal(body); err != nil {
			b.Fatal(err)
		}
		return &out
	}
	// byObject decodes objects whose messages or texts lie in memory, which is what a source of the library would
	// do once it has found where each begins and ends.
	byObject := func(objects [][]byte, decode func([]byte, *corev1.Pod) error) func(io.Reader) any {
		return func(io.Reader) any {
			out := make([]*corev1.Pod, pods)
			for i := range objects {
				out[i] = new(corev1.Pod)
				if err := decode(objects[i], out[i]); err != nil {
					b.Fatal(err)
				}
			}
			return out
		}
	}
	generated := func(data []byte, pod *corev1.Pod) error { return pod.Unmarshal(data) }
	version2 := func(data []byte, pod *corev1.Pod) error { return jsonv2.Unmarshal(data, pod) }
	kubernetes := func(data []byte, pod *corev1.Pod) error {
		return kjson.UnmarshalCaseSensitivePreserveInts(data, pod)
	}
	for _, form := range []struct {
		name   string
		body   []byte
		decode func(io.Reader) any
	}{
		{"JSON", text, fromJSON()},
		{"JSON/no managedFields", text, fromJSON(wire.WithoutManagedFields())},
		{"JSON/no managedFields, shared parts", text, fromJSON(wire.WithoutManagedFields(), wire.ShareParts())},
		{"protobuf", messages, fromMessages()},
		{"protobuf/shared parts", messages, fromMessages(wire.ShareParts())},
		{"protobuf/updates of cached objects", messages, fromWire(inProtobuf, updates)},
		{"protobuf/no managedFields", messages, fromMessages(wire.WithoutManagedFields())},
		{"protobuf/no managedFields, shared parts", messages, fromMessages(wire.WithoutManagedFields(), wire.ShareParts())},
		{"protobuf/generated code, list", binary, fromGenerated},
		{"protobuf/generated code, by object", binary, byObject(each, generated)},
		{"JSON/json v2, by object", text, byObject(texts, version2)},
		{"JSON/sigs.k8s.io/json, by object", text, byObject(texts, kubernetes)},
		{"gzip/JSON", compressed(b, text), func(r io.Reader) any { return fromJSON()(unzipped(b, r)) }},
		{"gzip/protobuf", compressed(b, messages), func(r io.Reader) any { return fromMessages()(unzipped(b, r)) }},
	} {
		b.Run(form.name, func(b *testing.B) {
			b.ReportAllocs()
			began := processor(b)
			for b.Loop() {
				form.decode(bytes.NewReader(form.body))
			}
			b.ReportMetric(float64((processor(b)-began)/1000)/float64(b.N)/pods, "CPU-µs/object")
			b.ReportMetric(float64(len(form.body))/pods, "wire-B/object")
			before := heap()
			kept := form.decode(bytes.NewReader(form.body))
			b.ReportMetric(float64(heap()-before)/pods, "live-B/object")
			runtime.KeepAlive(kept)
		})
	}
}

// lookup finds an object in a cache.
type lookup func(types.NamespacedName) (*corev1.Pod, bool)

// processor returns the nanoseconds that this process has spent computing.
func processor(b *testing.B) int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// reading is a transport that answers with what it reads.
type reading struct {
	io.Reader
	mediaType string
}

func (r reading) RoundTrip(request *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: request, Body: io.NopCloser(r.Reader), Header: http.Header{"Content-Type": {r.mediaType}},
	}, nil
}

func compressed(b *testing.B, text []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, 1) // as the API server does
	if _, err := w.Write(text); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

func unzipped(b *testing.B, r io.Reader) io.Reader {
	out, err := gzip.NewReader(r)
	if err != nil {
		b.Fatal(err)
	}
	return out
}
