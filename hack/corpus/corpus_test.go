// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	kjson "sigs.k8s.io/json"
)

// objectsOfType is how many random objects there are of each type.
const objectsOfType = 25

var (
	checked        = map[reflect.Type]bool{}
	ran, reuses    int // types, objects
	wholes         int // types whose lists were compared, as most have one
	fasts, objects int // those that package decode itself decoded, and all
)

// check decodes random objects of type E, out of a list, and compares them with
// what the decoder of client-go makes of the same text.
func check[E any, T interface {
	*E
	metav1.Object
}](t *testing.T) {
	kind := reflect.TypeFor[E]()
	checked[kind] = true
	t.Run(strings.ReplaceAll(kind.String(), ".", "/"), func(t *testing.T) {
		ran++
		texts := random[E](t)
		compare[E, T](t, texts, nil)
		compare[E, T](t, texts, nil, wire.ShareParts())
		compare[E, T](t, texts, func(obj *E) {
			meta := T(obj)
			meta.SetManagedFields(nil)
			delete(meta.GetAnnotations(), dropped)
			if status := reflect.ValueOf(obj).Elem().FieldByName("Status"); status.IsValid() {
				status.SetZero()
			}
		}, wire.WithoutManagedFields(), wire.Skip(".status", ".metadata.annotations['"+dropped+"']"))
		whole[E, T](t, texts)
		fasts += fast[E, T](t, texts)
		objects += len(texts)
		reuses += relisted[E, T](t, texts)
		inProtobuf[E, T](t)
	})
}

const dropped = "example.com/dropped"

// random returns the JSON of random objects. What cannot be marshaled is left out.
func random[E any](t *testing.T) [][]byte {
	t.Helper()
	seed := fnv.New64()
	_, _ = io.WriteString(seed, reflect.TypeFor[E]().String())
	fill := fuzzer.FuzzerFor(metafuzzer.Funcs, rand.NewSource(int64(seed.Sum64())), scheme.Codecs)
	var texts [][]byte
	for range objectsOfType {
		obj := new(E)
		fill.Fill(obj)
		if meta, ok := any(obj).(metav1.Object); ok && len(meta.GetAnnotations()) > 0 {
			meta.GetAnnotations()[dropped] = "x"
		}
		text, err := json.Marshal(obj)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text, indented(t, text))
	}
	return texts
}

func indented(t *testing.T, text []byte) []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, text, " ", "\t"); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(out.Bytes())
}

// compare lists texts twice, because a decoder caches parts of them, and compares the objects with the
// reference's, decoded after prune.
func compare[E any, T interface {
	*E
	metav1.Object
}](t *testing.T, texts [][]byte, prune func(*E), opts ...wire.Option) {
	t.Helper()
	body := append([]byte(`{"metadata":{"resourceVersion":"1"},"items":[`), bytes.Join(texts, []byte(","))...)
	body = append(body, "]}"...)
	src := wire.Source[T](
		wire.Conn{BaseURL: "http://corpus", Client: newClient(body)},
		schema.GroupVersionResource{Version: "v1", Resource: "things"},
		opts...)
	for round := range 2 {
		i := 0
		_, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[T], err error) error {
			text := texts[i]
			i++
			want, wantErr := reference[E](text, prune)
			switch {
			case (err == nil) != (wantErr == nil):
				t.Errorf("round %d: error %v, by the reference %v\n%s", round, err, wantErr, text)
			case err == nil && !reflect.DeepEqual((*E)(item.Object), want):
				t.Errorf("round %d: %s\ngot  %+v\nwant %+v", round, text, item.Object, want)
			}
			return nil
		})
		if err != nil || i != len(texts) {
			t.Fatalf("%d of %d objects: %v", i, len(texts), err)
		}
	}
}

// reference decodes as client-go's serializer does.
func reference[E any](text []byte, prune func(*E)) (*E, error) {
	obj := new(E)
	err := kjson.UnmarshalCaseSensitivePreserveInts(text, obj)
	if kind, ok := any(obj).(interface{ GetObjectKind() schema.ObjectKind }); ok && err == nil {
		kind.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{}) // as sources do
	}
	if prune != nil {
		prune(obj)
	}
	return obj, err
}

// decoded is what a source makes of the text of an object.
func decoded[E any, T interface {
	*E
	metav1.Object
}](t *testing.T, text []byte) T {
	t.Helper()
	obj, err := reference[E](text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return obj
}

func marshal(t *testing.T, obj any) []byte {
	t.Helper()
	text, err := json.Marshal(obj)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// newClient returns a client whose requests all get body.
func newClient(body []byte) *http.Client { return &http.Client{Transport: answer(body)} }

// answer is a transport that answers every request with the same JSON.
type answer []byte

func (a answer) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(bytes.NewReader(a)),
		Header: http.Header{"Content-Type": {"application/json"}},
	}, nil
}

// sum says whether all that was to be compared has been.
func sum(t *testing.T) {
	t.Helper()
	object := reflect.TypeFor[metav1.Object]()
	missing := map[string]bool{}
	for _, kind := range scheme.Scheme.AllKnownTypes() {
		if strings.HasPrefix(kind.PkgPath(), "k8s.io/api/") && reflect.PointerTo(kind).Implements(object) &&
			!checked[kind] {
			missing[fmt.Sprint(kind)] = true
		}
	}
	if len(missing) > 0 {
		t.Errorf("not compared: %v", missing)
	}
	if reuses < ran*objectsOfType {
		t.Errorf("of what was held, %d objects were reused, %d types were compared", reuses, ran)
	}
	if wholes < ran*4/5 {
		t.Errorf("typed lists of %d of %d types were compared", wholes, ran)
	}
	if fasts < objects*9/10 {
		t.Errorf(
			"package decode itself decoded %d of %d objects; the rest says nothing of it",
			fasts,
			objects,
		)
	}
	t.Logf("%d of %d objects decoded by package decode itself; %d objects reused", fasts, objects, reuses)
}
