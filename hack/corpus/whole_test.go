// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	kjson "sigs.k8s.io/json"
)

// whole lists texts in the form of API servers for built-in types, where the list has the kind and the
// items have none, and compares the objects with those of client-go: typed, if the type has a list
// type, and unstructured.
func whole[E any, T interface {
	*E
	metav1.Object
}](t *testing.T, texts [][]byte) {
	t.Helper()
	kinds, _, err := scheme.Scheme.ObjectKinds(any(new(E)).(runtime.Object))
	if err != nil || len(kinds) == 0 {
		t.Fatal(kinds, err)
	}
	kind := kinds[0].GroupVersion().WithKind(kinds[0].Kind + "List")
	body := fmt.Appendf(
		nil,
		`{"kind":%q,"apiVersion":%q,"metadata":{"resourceVersion":"42","continue":"c"},"items":[`,
		kind.Kind,
		kind.GroupVersion(),
	)
	body = append(append(body, bytes.Join(texts, []byte(","))...), "]}"...)

	var untyped unstructured.UnstructuredList
	if err := untyped.UnmarshalJSON(body); err != nil {
		t.Fatal(err)
	}
	wholeOf[unstructured.Unstructured](
		t,
		body,
		len(untyped.Items),
		func(i int) *unstructured.Unstructured { return &untyped.Items[i] },
	)

	if typed, err := scheme.Scheme.New(kind); err == nil {
		if err := kjson.UnmarshalCaseSensitivePreserveInts(body, typed); err != nil {
			t.Fatal(err)
		}
		items := reflect.ValueOf(typed).Elem().FieldByName("Items")
		wholeOf[E, T](
			t,
			body,
			items.Len(),
			func(i int) T { return T(items.Index(i).Addr().Interface().(*E)) },
		)
		wholes++
	}
}

func wholeOf[E any, T interface {
	*E
	metav1.Object
}](t *testing.T, body []byte, n int, want func(i int) T) {
	t.Helper()
	src := wire.Source[T](
		wire.Conn{BaseURL: "http://corpus", Client: newClient(body)},
		schema.GroupVersionResource{Version: "v1", Resource: "things"},
	)
	i := 0
	meta, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[T], err error) error {
		if i < n && (err != nil || !reflect.DeepEqual(item.Object, want(i))) {
			t.Errorf("item %d: %v\ngot  %+v\nwant %+v", i, err, item.Object, want(i))
		}
		i++
		return nil
	})
	if err != nil || i != n || meta.ResourceVersion != "42" || meta.Continue != "c" {
		t.Errorf("%d of %d objects, %+v, %v", i, n, meta, err)
	}
}
