// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"bytes"
	"reflect"
	"regexp"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// list lists texts from a server that sends them at once.
func list[E any, T interface {
	*E
	metav1.Object
}](t *testing.T, texts [][]byte, wrap func(source.Source[T]) source.Source[T], each func(i int, d source.Delta[T], err error)) {
	t.Helper()
	body := append([]byte(`{"metadata":{"resourceVersion":"1"},"items":[`), bytes.Join(texts, []byte(","))...)
	conn := wire.Conn{BaseURL: "http://corpus", Client: newClient(append(body, "]}"...))}
	src := wrap(wire.Source[T](conn, schema.GroupVersionResource{Version: "v1", Resource: "things"}))
	i := 0
	_, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[T], err error) error {
		each(i, item, err)
		i++
		return nil
	})
	if err != nil || i != len(texts) {
		t.Fatalf("%d of %d objects: %v", i, len(texts), err)
	}
}

// escapes are what random objects have and real ones do not, and is decoded anew:
// they stand in no name of a label or annotation.
var escapes = regexp.MustCompile(`\\u[0-9a-f]{4}|\\[^u]`)

// relisted lists what a cache holds already, once as it is, and once changed
// under the same name and version: what it gets is what the text says.
func relisted[E any, T interface {
	*E
	metav1.Object
}](t *testing.T, texts [][]byte) (reused int) {
	t.Helper()
	identified := func(obj T) T {
		obj.SetNamespace("ns")
		obj.SetName("a")
		obj.SetResourceVersion("7")
		return obj
	}
	for i, text := range texts {
		original, err := reference[E](text, nil)
		if err != nil {
			continue
		}
		same := escapes.ReplaceAll(marshal(t, identified(original)), []byte("_"))
		other, err := reference[E](texts[(i+2)%len(texts)], nil)
		if err != nil {
			continue
		}
		for _, held := range []T{decoded[E, T](t, same), identified(other)} {
			wrap := func(src source.Source[T]) source.Source[T] {
				return src.Reusing(func(types.NamespacedName) (T, bool) { return held, true })
			}
			list(t, [][]byte{same}, wrap, func(_ int, item source.Delta[T], err error) {
				if want := decoded[E, T](t, same); err != nil || !reflect.DeepEqual(item.Object, want) {
					t.Errorf("%v\n%s\nheld %+v\ngot  %+v\nwant %+v", err, same, held, item.Object, want)
				}
				if item.Object == held {
					reused++
				}
			})
		}
	}
	return reused
}
