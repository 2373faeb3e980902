// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/decode"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// wrapped decodes itself as an unstructured object does, and hides that it is one.
type wrapped struct {
	metav1.ObjectMeta

	kind string
}

func (w *wrapped) UnmarshalJSON(text []byte) error {
	var content unstructured.Unstructured
	if err := content.UnmarshalJSON(text); err != nil {
		return err
	}
	w.Name, w.kind = content.GetName(), content.GetAPIVersion()+"/"+content.GetKind()
	return nil
}

// builtIn is a list as API servers write it of built-in types.
const builtIn = `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"42"},"items":[` +
	`{"metadata":{"name":"a"}},` +
	"{ \"metadata\": {\n\"name\":\"b\", \"labels\":{\"x\":\"\\u00e4\"}}\n} ," +
	`{"metadata":{"name":"c"},"kind":"","apiVersion":""},` +
	`{"metadata":{"name":"d"},"kind":"Other","apiVersion":"w1"},` +
	`{}]}`

// The items of a list of built-in objects are of its kind, for types that cannot
// do without.
func TestItemsOfBuiltInLists(t *testing.T) {
	var want unstructured.UnstructuredList
	if err := want.UnmarshalJSON([]byte(builtIn)); err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"whole", "by bytes"} {
		i, d := 0, decode.New(decode.Options{})
		list := listDecoder[*unstructured.Unstructured]{
			framer: newFramer(again(how, builtIn), testLimit, 0),
			objects: &objectDecoder[*unstructured.Unstructured]{
				objectType: typeOf[*unstructured.Unstructured](), resource: widgets.GroupResource(), fast: d, codec: jsonCodec{d},
			},
			each: func(item source.Delta[*unstructured.Unstructured], err error) error {
				if err != nil || !reflect.DeepEqual(item.Object.Object, want.Items[i].Object) {
					t.Errorf("%s: %v\ngot  %v\nwant %v", how, err, item.Object, want.Items[i].Object)
				}
				i++
				return nil
			},
		}
		if _, err := list.decode(); err != nil || i != len(want.Items) {
			t.Errorf("%s: %d objects, %v", how, i, err)
		}
	}
}

func TestItemsOfTypesThatDecodeThemselves(t *testing.T) {
	conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		send(w, builtIn)
	})
	var got []string
	for _, opts := range [][]Option{nil, {WithoutManagedFields()}} {
		_, err := Source[*wrapped](
			conn,
			widgets,
			opts...).List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*wrapped], err error) error {
			if err != nil {
				return err
			}
			got = append(got, item.Object.Name+" "+item.Object.kind)
			return nil
		})
		const want = "a v1/Pod,b v1/Pod,c v1/Pod,d w1/Other, v1/Pod"
		if strings.Join(got, ",") != want || err != nil {
			t.Errorf("%v, %v", got, err)
		}
		got = nil
	}
}

// A list whose items cannot be decoded, because their kind is unknown, is not an empty list.
func TestItemsOfNoKind(t *testing.T) {
	const item = `{"metadata":{"name":"a"}}`
	for _, body := range []string{
		`{"items":[` + item + `]}`,
		`{"kind":"List","apiVersion":"v1","items":[` + item + `]}`,
		`{"items":[` + item + `],"kind":"PodList","apiVersion":"v1"}`,
	} {
		conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			send(w, body)
		})
		_, err := Source[*unstructured.Unstructured](
			conn,
			widgets,
		).List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*unstructured.Unstructured], err error) error {
			t.Errorf("%s: %+v", body, item)
			return nil
		})
		wantError(t, err, "list of widgets.example.com, after 0 objects", "the object has no kind")
	}
}
