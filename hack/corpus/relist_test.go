// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"bytes"
	"reflect"
	"regexp"
	"runtime"
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
}](t *testing.T, texts [][]byte, wrap func(source.ListerWatcher[T]) source.ListerWatcher[T], each func(i int, item source.Item[T])) {
	t.Helper()
	body := append([]byte(`{"metadata":{"resourceVersion":"1"},"items":[`), bytes.Join(texts, []byte(","))...)
	conn := wire.Conn{BaseURL: "http://corpus", Client: newClient(append(body, "]}"...))}
	src := wrap(wire.Source[E, T](conn, schema.GroupVersionResource{Version: "v1", Resource: "things"}, ""))
	i := 0
	_, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Item[T]) error {
		each(i, item)
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
			wrap := func(src source.ListerWatcher[T]) source.ListerWatcher[T] {
				return source.Reusing(src, func(types.NamespacedName) (T, bool) { return held, true })
			}
			list(t, [][]byte{same}, wrap, func(_ int, item source.Item[T]) {
				if want := decoded[E, T](t, same); item.Err != nil || !reflect.DeepEqual(item.Object, want) {
					t.Errorf("%v\n%s\nheld %+v\ngot  %+v\nwant %+v", item.Err, same, held, item.Object, want)
				}
				if item.Object == held {
					reused++
				}
			})
		}
	}
	return reused
}

// spread lists so much that it is decoded by several goroutines, if there are
// cores for them, and tells whether it was.
func spread[E any, T interface {
	*E
	metav1.Object
}](t *testing.T, texts [][]byte) (several bool) {
	t.Helper()
	wanted := make([]*E, len(texts))
	faults := make([]error, len(texts))
	size := 0
	for i, text := range texts {
		wanted[i], faults[i] = reference[E](text, nil)
		size += len(text)
	}
	var many [][]byte
	for range 1 + spreadBytes/size {
		many = append(many, texts...)
	}
	before := runtime.NumGoroutine()
	list(t, many, func(src source.ListerWatcher[T]) source.ListerWatcher[T] { return src }, func(i int, item source.Item[T]) {
		several = several || runtime.NumGoroutine() > before+1
		want, fault := wanted[i%len(texts)], faults[i%len(texts)]
		if (item.Err == nil) != (fault == nil) || fault == nil && !reflect.DeepEqual((*E)(item.Object), want) {
			t.Errorf("object %d: %v, by the reference %v\ngot  %+v\nwant %+v", i, item.Err, fault, item.Object, want)
		}
	})
	return several
}

// spreadBytes is well above what makes the decoder ask for help.
const spreadBytes = 600 << 10
