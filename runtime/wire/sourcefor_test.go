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

func TestSourceFor(t *testing.T) {
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
		objects := listAndWatch(t, SourceFor(conn, widgets, "ns", example))
		if len(objects) != 1 || objects[0].GetName() != "a" {
			t.Fatalf("%T: %v", example, objects)
		}
		return objects[0]
	}
	want := listAndWatch(t, Source[Widget](conn, widgets, "ns"))[0]
	if got := only((*Widget)(nil)); !reflect.DeepEqual(got, metav1.Object(want)) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if got := only(&unstructured.Unstructured{}).(*unstructured.Unstructured); got.GetKind() != "Widget" {
		t.Errorf("got %v", got)
	}
	if strings.Contains(accept, "as=PartialObjectMetadata") {
		t.Errorf("whole objects were requested as %s", accept)
	}
	_ = only(&metav1.PartialObjectMetadata{}).(*metav1.PartialObjectMetadata)
	if !strings.Contains(accept, "as=PartialObjectMetadata;") {
		t.Errorf("metadata was requested as %s", accept)
	}
}
