// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package readthrough_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// Only what Keep names is decoded, and never last-applied-configuration.
func TestKeep(t *testing.T) {
	const text = `{"namespace":"ns","name":"a","uid":"u","resourceVersion":"7","generation":3,
		"finalizers":["example.com/f"],"deletionTimestamp":"2026-01-02T03:04:05Z","labels":{"app":"x"},
		"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"s3cret","note":"y"},
		"ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n","uid":"o"}],
		"managedFields":[{"manager":"s3cret"}]}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadataList") {
			t.Errorf("the request accepts %s", r.Header.Get("Accept"))
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1",
			"metadata":{"resourceVersion":"9"},"items":[{"metadata":%s}]}`, text)
	}))
	defer server.Close()
	conn := wire.Conn{Client: server.Client(), BaseURL: server.URL}
	list := func(keep ...readthrough.Field) (got *readthrough.Metadata) {
		src := wire.Source[*readthrough.Metadata](conn, secrets, readthrough.Keep(keep...))
		_, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*readthrough.Metadata], err error) error {
			got = item.Object
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	var least, most readthrough.Metadata
	if err := json.Unmarshal([]byte(`{"metadata":`+text+`}`), &most); err != nil {
		t.Fatal(err)
	}
	delete(most.Annotations, "kubectl.kubernetes.io/last-applied-configuration")
	least = most
	least.Labels, least.Annotations = nil, nil
	if got := list(); !reflect.DeepEqual(got, &least) {
		t.Errorf("got %+v; want %+v", got, least)
	}
	got := list(readthrough.Labels, readthrough.Annotations)
	if !reflect.DeepEqual(got, &most) {
		t.Errorf("got %+v; want %+v", got, most)
	}
	c := got.DeepCopyObject().(*readthrough.Metadata)
	if !reflect.DeepEqual(c, got) || &c.OwnerReferences[0] == &got.OwnerReferences[0] ||
		&c.GetFinalizers()[0] == &got.GetFinalizers()[0] {
		t.Errorf("the copy is %+v", c)
	}
	if f := got.GetFinalizers(); !slices.Equal(f, []string{"example.com/f"}) {
		t.Errorf("finalizers %v", f)
	}
	if got.GetGeneration() != 3 || got.GetDeletionTimestamp() == nil || len(got.GetOwnerReferences()) != 1 {
		t.Errorf("the accessors of %+v", got)
	}
}
