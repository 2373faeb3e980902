// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"net/http"
	"net/http/httptest"
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
	src := SourceIn[metav1.PartialObjectMetadata](conn, resource, namespaces)
	parts := func() map[string]source.ListerWatcher[*metav1.PartialObjectMetadata] {
		return src.(source.Plural[*metav1.PartialObjectMetadata]).Parts()
	}
	if err := namespaces.Set(t.Context(), "a", "b", ""); err != nil {
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
