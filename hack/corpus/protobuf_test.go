// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"io"
	"math/rand"
	"net/http"
	"reflect"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	apiregistrationv1beta1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1beta1"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

// message is implemented by types with generated protobuf code.
type message interface {
	Marshal() ([]byte, error)
	Unmarshal(data []byte) error
}

// inProtobuf decodes random objects of type E from protobuf and compares them with the result of E's
// own Unmarshal: as they are, with skipped fields, held already, and with random damage.
func inProtobuf[E any, T interface {
	*E
	metav1.Object
}](t *testing.T) {
	if _, ok := any(new(E)).(message); !ok {
		t.Errorf("%T has no generated protobuf code", new(E))
		return
	}
	seed := fnv.New64()
	_, _ = io.WriteString(seed, reflect.TypeFor[E]().String())
	rng := rand.New(rand.NewSource(int64(seed.Sum64())))
	// JSONSchemaProps contain many of their kind.
	fill := fuzzer.FuzzerFor(metafuzzer.Funcs, rng, scheme.Codecs).MaxDepth(24)
	var whole [][]byte
	for range objectsOfType {
		obj := new(E)
		fill.Fill(obj)
		meta := T(obj)
		meta.SetName("a")
		meta.SetNamespace("ns")
		meta.SetResourceVersion("7")
		if len(meta.GetAnnotations()) > 0 {
			meta.GetAnnotations()[dropped] = "x"
		}
		data, err := any(obj).(message).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		whole = append(whole, data)
	}
	skips := []wire.Option{
		wire.WithoutManagedFields(), wire.Skip(".status", ".metadata.annotations['"+dropped+"']"),
	}
	compareProtobuf[E, T](t, whole, nil, nil)
	compareProtobuf[E, T](t, whole, nil, nil, wire.ShareParts())
	compareProtobuf[E, T](t, whole, whole[0], nil)
	compareProtobuf[E, T](t, whole, nil, prune[E, T], skips...)
	compareProtobuf[E, T](t, whole, whole[0], prune[E, T], skips...)
	for _, data := range whole {
		held := T(unmarshaled[E](t, data))
		for range 2 {
			listProtobuf(t, [][]byte{data}, func(_ int, item source.Delta[T], err error) {
				if item.Object != held {
					t.Errorf("an unchanged object was not reused: %+v", item.Object)
				}
			}, func(src source.Source[T]) source.Source[T] {
				return src.Reusing(func(types.NamespacedName) (T, bool) { return held, true })
			})
		}
	}
	var damaged [][]byte
	for _, data := range whole {
		for range 20 {
			damaged = append(damaged, damage(rng, data))
		}
	}
	compareProtobuf[E, T](t, damaged, nil, nil)
	compareProtobuf[E, T](t, damaged, nil, nil, wire.ShareParts())
	compareProtobuf[E, T](t, damaged, whole[0], nil)
}

// TestProtobufOfOtherModules compares types that API servers serve beside those of k8s.io/api.
func TestProtobufOfOtherModules(t *testing.T) {
	inProtobuf[apiextensionsv1.CustomResourceDefinition](t)
	inProtobuf[apiextensionsv1beta1.CustomResourceDefinition](t)
	inProtobuf[apiregistrationv1.APIService](t)
	inProtobuf[apiregistrationv1beta1.APIService](t)
}

func prune[E any, T interface {
	*E
	metav1.Object
}](obj *E) {
	meta := T(obj)
	meta.SetManagedFields(nil)
	delete(meta.GetAnnotations(), dropped)
	if status := reflect.ValueOf(obj).Elem().FieldByName("Status"); status.IsValid() {
		status.SetZero()
	}
}

// damage changes a few bytes, or cuts some off.
func damage(rng *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	switch rng.Intn(4) {
	case 0:
		return data[:rng.Intn(len(data))]
	case 1:
		at := rng.Intn(len(data))
		return append(data[:at], data[min(len(data), at+1+rng.Intn(4)):]...)
	}
	for range 1 + rng.Intn(3) {
		data[rng.Intn(len(data))] ^= byte(1 << rng.Intn(8))
	}
	return data
}

func unmarshaled[E any](t *testing.T, data []byte) *E {
	t.Helper()
	obj := new(E)
	if err := any(obj).(message).Unmarshal(data); err != nil {
		t.Fatal(err)
	}
	return obj
}

// compareProtobuf lists objects twice, because a decoder caches parts of them. If held is not nil, the
// object in it is in the cache, as an earlier version of all objects.
func compareProtobuf[E any, T interface {
	*E
	metav1.Object
}](t *testing.T, objects [][]byte, held []byte, prune func(*E), opts ...wire.Option) {
	t.Helper()
	wrap := func(src source.Source[T]) source.Source[T] { return src }
	if held != nil {
		decoded := func() T {
			obj := unmarshaled[E](t, held)
			if prune != nil {
				prune(obj)
			}
			return obj
		}
		cached := decoded()
		defer func() {
			if want := decoded(); !reflect.DeepEqual(cached, want) {
				t.Errorf("the held object became %+v, want %+v", cached, want)
			}
		}()
		wrap = func(src source.Source[T]) source.Source[T] {
			return src.Reusing(func(types.NamespacedName) (T, bool) { return cached, true })
		}
	}
	listProtobuf(t, append(objects[:len(objects):len(objects)], objects...), func(i int, item source.Delta[T], err error) {
		data, want := objects[i%len(objects)], new(E)
		wantErr := any(want).(message).Unmarshal(data)
		if prune != nil {
			prune(want)
		}
		switch {
		case (err == nil) != (wantErr == nil):
			t.Errorf("error %v, by the generated code %v\n%x", err, wantErr, data)
		case err == nil && !reflect.DeepEqual((*E)(item.Object), want):
			t.Errorf("%x\ngot  %+v\nwant %+v", data, item.Object, want)
		}
	}, wrap, opts...)
}

func listProtobuf[E any, T interface {
	*E
	metav1.Object
}](
	t *testing.T, objects [][]byte, each func(i int, d source.Delta[T], err error),
	wrap func(source.Source[T]) source.Source[T], opts ...wire.Option,
) {
	t.Helper()
	conn := wire.Conn{BaseURL: "http://corpus", Client: &http.Client{Transport: protobuf(listMessage(t, objects))}}
	gvr := schema.GroupVersionResource{Version: "v1", Resource: "things"}
	i := 0
	meta, err := wrap(wire.Source[T](conn, gvr, opts...)).List(t.Context(), metav1.ListOptions{},
		func(item source.Delta[T], err error) error {
			each(i, item, err)
			i++
			return nil
		})
	if err != nil || i != len(objects) || meta.ResourceVersion != "42" {
		t.Fatalf("%d of %d objects, %+v, %v", i, len(objects), meta, err)
	}
}

// listMessage returns a list as an API server sends it.
func listMessage(t testing.TB, objects [][]byte) []byte {
	meta := metav1.ListMeta{ResourceVersion: "42"}
	head, err := meta.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	list := append(binary.AppendUvarint([]byte{1<<3 | 2}, uint64(len(head))), head...)
	for _, data := range objects {
		list = append(binary.AppendUvarint(append(list, 2<<3|2), uint64(len(data))), data...)
	}
	body, err := (&runtime.Unknown{
		TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "ThingList"}, Raw: list,
	}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte("k8s\x00"), body...)
}

// protobuf is a transport that answers every request with the same protobuf.
type protobuf []byte

func (p protobuf) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(bytes.NewReader(p)),
		Header: http.Header{"Content-Type": {"application/vnd.kubernetes.protobuf"}},
	}, nil
}
