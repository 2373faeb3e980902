// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"reflect"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// fast counts the texts that are decoded by package decode itself, and not by the
// reference, with which everything is equal to the reference and nothing proven. It
// lists each twice at once: equal maps of the two are one if package decode made
// them, and the reference shares nothing.
func fast[E any, T interface {
	*E
	metav1.Object
}](t *testing.T, texts [][]byte) (n int) {
	t.Helper()
	for _, text := range texts {
		obj, err := reference[E](text, nil)
		if err != nil {
			continue
		}
		T(obj).SetLabels(map[string]string{"app": "a"})
		text = marshal(t, obj)
		body := append([]byte(`{"metadata":{},"items":[`), text...)
		body = append(append(append(body, ','), text...), "]}"...)
		src := wire.Source[T](
			wire.Conn{BaseURL: "http://corpus", Client: newClient(body)},
			schema.GroupVersionResource{Version: "v1", Resource: "things"},
			wire.ShareParts(),
		)
		var labels []uintptr
		if _, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[T], err error) error {
			if err == nil {
				labels = append(labels, reflect.ValueOf(item.Object.GetLabels()).Pointer())
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if len(labels) == 2 && labels[0] == labels[1] {
			n++
		}
	}
	return n
}
