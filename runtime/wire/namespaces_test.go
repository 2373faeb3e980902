// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Each namespace of a set is a source of its own, also those that come later.
func TestSourceInNamespaces(t *testing.T) {
	asked := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked[r.URL.Path]++
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"kind":"List","metadata":{"resourceVersion":"1"},"items":[]}`)
	}))
	defer server.Close()
	conn := Conn{Client: server.Client(), BaseURL: server.URL}
	namespaces := source.NewNamespaces("a")
	resource := schema.GroupVersionResource{Group: "g", Version: "v1", Resource: "widgets"}
	src := Source[*metav1.PartialObjectMetadata](conn, resource, InNamespaces(namespaces))
	parts := func() map[string]source.Source[*metav1.PartialObjectMetadata] {
		return src.Parts().Sources()
	}
	if err := namespaces.Replace(t.Context(), "a", "b", ""); err != nil {
		t.Fatal(err)
	}
	for _, part := range parts() {
		if _, err := part.List(t.Context(), metav1.ListOptions{}, nil); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{"/apis/g/v1/namespaces/a/widgets", "/apis/g/v1/namespaces/b/widgets", "/apis/g/v1/widgets"} {
		if asked[path] != 1 {
			t.Errorf("%s was asked for %d times, want once: %v", path, asked[path], asked)
		}
	}
}

// A source of metadata in a set of namespaces applies the options to each namespace.
func TestSourceOfMetadataInNamespaces(t *testing.T) {
	type request struct {
		path, accept string
		watch        bool
	}
	var (
		mu    sync.Mutex
		asked []request
	)
	conn := serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, request{r.URL.Path, r.Header.Get("Accept"), r.URL.Query().Get("watch") != ""})
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("watch") == "" {
			send(w, listJSON(full))
			return
		}
		send(w, eventJSON("ADDED", full))
	})
	namespaces := source.NewNamespaces("a")
	src := Source[*metav1.PartialObjectMetadata](conn, widgets, InNamespaces(namespaces), WithoutManagedFields()).Parts()
	if err := namespaces.Replace(t.Context(), "a", "b", ""); err != nil {
		t.Fatal(err)
	}
	parts := src.Sources()
	for name, path := range map[string]string{
		"a": "/apis/example.com/v1/namespaces/a/widgets",
		"b": "/apis/example.com/v1/namespaces/b/widgets",
		"":  "/apis/example.com/v1/widgets",
	} {
		asked = nil
		objects := listAndWatch(t, parts[name])
		if len(objects) != 1 || objects[0].Name != "a" || objects[0].Labels["app"] != "x" ||
			objects[0].ManagedFields != nil {
			t.Errorf("namespace %q: got %+v", name, objects)
		}
		want := []request{
			{path, mediaProtobuf + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1," + acceptMetadataList, false},
			{path, mediaProtobuf + ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1," + acceptMetadataObject, true},
		}
		if !slices.Equal(asked, want) {
			t.Errorf("namespace %q: asked for %+v, want %+v", name, asked, want)
		}
	}
	if len(parts) != 3 {
		t.Errorf("%d sources of three namespaces", len(parts))
	}
}
