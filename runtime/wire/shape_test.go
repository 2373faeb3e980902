// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/slim"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/decode"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// A path that the type rules out would be passed over in silence.
func TestPathsThatTheTypeRulesOut(t *testing.T) {
	conn := Conn{BaseURL: "http://127.0.0.1:1"}
	for path, parts := range map[string][]string{
		".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration": {".metadata.annotations.kubectl is a string", "['a.b/c']"},
		".metadata.annotations['a.b'].c":                                         {".metadata.annotations['a.b'] is a string"},
		".spec.ports.number":                                                     {".spec.ports is a list; write .spec.ports[*] "},
		".spec.size.x":                                                           {".spec.size is a int32"},
		".spec.data[*].x":                                                        {".spec.data[*] is a uint8"},
	} {
		for _, conn := range []Conn{conn, conn.With(Skip(path))} {
			_, _, err := collect(
				Source[*Widget](conn, widgets, Skip(".status", path)),
				t,
				metav1.ListOptions{},
			)
			wantError(t, err, append(parts, "cannot read widgets.example.com", `"`+path+`"`)...)
		}
	}
}

// A Conn serves many types, so what one does not have is no mistake.
func TestPathsThatTheTypeDoesNotRuleOut(t *testing.T) {
	const text = `{"kind":"Widget","apiVersion":"v1","metadata":{"name":"a","annotations":{"a.b/c":"d"}}}`
	paths := Skip(
		".data",
		".spec.template.spec",
		".metadata.annotations['a.b/c']",
		".metadata.managedFields[*].fieldsV1.x",
		".status.since.x",
		".spec.ports[*].label",
		".spec.limits.cpu.x",
		".spec.limits[*].y",
		".spec[*].x",
		".spec.bomb.x",
	)
	conn := answering(t, text).With(paths)
	if w := one(t, Source[*Widget](conn, widgets)); w.Name != "a" || len(w.Annotations) != 0 {
		t.Errorf("%+v", w)
	}
	for _, err := range []error{
		namesOnly(t, Source[*slimWidget](conn, widgets)),
		namesOnly(t, Source[*unstructured.Unstructured](conn.With(Skip(".Spec", ".metadata.annotations.a.b")), widgets)),
		namesOnly(t, Source[*metav1.PartialObjectMetadata](conn, widgets)),
	} {
		if err != nil {
			t.Error(err)
		}
	}
}

func namesOnly[T metav1.Object](t *testing.T, src source.ListerWatcher[T]) error {
	_, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[T], err error) error {
		if err == nil && item.Object.GetName() != "a" {
			return errors.New("an object without its name")
		}
		return err
	})
	return err
}

// Without a tag, the fields of an embedded ObjectMeta would have to be at the top level.
func TestTypesWithoutMetadataAreRefused(t *testing.T) {
	type untagged struct {
		slim.Meta
		Spec struct{} `json:"spec"`
	}
	type tagged struct {
		*slim.Labeled `json:"metadata"`
	}
	conn := answering(t, `{"metadata":{"name":"a"}}`)
	wantError(
		t,
		namesOnly(t, Source[*untagged](conn, widgets)),
		"widgets.example.com",
		"wire.untagged",
		"`json:\"metadata\"`",
	)
	if err := namesOnly(t, Source[*tagged](conn, widgets)); err != nil {
		t.Error(err)
	}
}

// JSON that is no list is not said to be no JSON.
func TestJSONThatIsNoList(t *testing.T) {
	for text, part := range map[string]string{
		`{"items":{"a":1}}`: "'{' at byte 9 instead of a JSON array",
		`{"items": "x"}`:    "'\"' at byte 10 instead",
		`null`:              "'n' at byte 0 instead of a JSON object",
		`[1]`:               "'[' at byte 0 instead of a JSON object",
	} {
		_, _, err := decodeList(strings.NewReader(text), testLimit)
		wantError(t, err, part, "not a list")
		if strings.Contains(err.Error(), "not JSON") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A server may send a Status in place of a list with code 200.
func TestStatusInPlaceOfAList(t *testing.T) {
	for _, text := range []string{
		`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old","reason":"Expired","code":410}`,
		`{"code":410,"message":"too old","reason":"Expired","status":"Failure","kind":"Status"}`,
		`{"items":[],"status":"Failure","reason":"Expired","kind":"Status"}`,
		`{"kind":"Status"`,
	} {
		conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, text)
		})
		if err := namesOnly(t, Source[*Widget](conn, widgets)); !errors.Is(err, errStatus) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A key is read if it is certain. A namespace that is null is none, as in an object that can be decoded.
func TestKeyOfUndecodedObjects(t *testing.T) {
	objects := objectDecoder[*Widget]{codec: jsonCodec{decode.New(decode.Options{})}}
	for text, want := range map[string]string{
		`{"metadata":{"name":"a","namespace":null}}`:                            "a",
		`{"metadata":{"namespace":null,"name":"a","namespace":"b"}}`:            "b/a",
		`{"metadata":{"name":null,"namespace":"b"}}`:                            "",
		`{"metadata":{"name":"a","namespace":5}}`:                               "",
		`{"metadata":{"name":"a","namespace":nul}}`:                             "",
		`{"spec":{"metadata":{"name":"b"}},"metadata":{"labels":5,"name":"a"}}`: "a",
		`{"metadata":{"name":"a","labels":{`:                                    "",
		`{"metadata":{"name":"a\u0062"}}`:                                       "",
		"{\"metadata\":{\"name\":\"a\xff\"}}":                                   "",
		`{"metadata":{"name":"a","namespace":null},"spec":{"size":1}`:           "a",
	} {
		got := ""
		if key, ok := objects.keyIn([]byte(text)); ok {
			got = printable(key)
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestBaseURLThatCannotBeParsedTellsNoPassword(t *testing.T) {
	for _, base := range []string{"https://user:hunter2@host:port", "https://user:hunter2@host/%zz", "https://user:hun/ter2@host", "https://user:%hunter2@host"} {
		_, _, err := collect(Source[*Widget](Conn{BaseURL: base}, widgets), t, metav1.ListOptions{})
		wantError(t, err, "Conn.BaseURL")
		if strings.Contains(err.Error(), "hun") {
			t.Errorf("%s: %v", base, err)
		}
	}
}
