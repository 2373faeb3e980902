// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// The Go type decides what is requested: all fields, or metadata.
func TestTypeOf(t *testing.T) {
	var accept string
	conn := serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		accept = r.Header.Get("Accept")
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("watch") == "" {
			send(w, listJSON(full))
			return
		}
		send(w, eventJSON("ADDED", full))
	})
	only := func(example metav1.Object) metav1.Object {
		objects := listAndWatch(t, Source[metav1.Object](conn, widgets, InNamespace("ns"), TypeOf(example)))
		if len(objects) != 1 || objects[0].GetName() != "a" {
			t.Fatalf("%T: %v", example, objects)
		}
		return objects[0]
	}
	want := listAndWatch(t, Source[*Widget](conn, widgets, InNamespace("ns")))[0]
	if got := only((*Widget)(nil)); !reflect.DeepEqual(got, metav1.Object(want)) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if got := only(&unstructured.Unstructured{}).(*unstructured.Unstructured); got.GetKind() != "Widget" {
		t.Errorf("got %v", got)
	}
	if strings.Contains(accept, "as=PartialObjectMetadata") {
		t.Errorf("whole objects were requested as %s", accept)
	}
	if listAndWatch(t, Source[*slimWidget](conn, widgets, InNamespace("ns"))); strings.Contains(accept, "as=") {
		t.Errorf("a type with one more field was requested as %s", accept)
	}
	_ = only(&metav1.PartialObjectMetadata{}).(*metav1.PartialObjectMetadata)
	if !strings.Contains(accept, "as=PartialObjectMetadata;") {
		t.Errorf("metadata was requested as %s", accept)
	}
}

func TestTypeOfNothing(t *testing.T) {
	conn := answering(t, full)
	wantError(t, namesOnly(t, Source[metav1.Object](conn, widgets)), "widgets.example.com", "v1.Object", "TypeOf")
	wantError(t, namesOnly(t, Source[value](conn, widgets)), "wire.value is not a pointer to a struct")
}

// value implements metav1.Object without a pointer.
type value struct{ *metav1.ObjectMeta }
