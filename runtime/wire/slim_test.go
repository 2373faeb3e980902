// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/slim"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

type node struct {
	slim.Labeled `json:"metadata"`

	Spec struct {
		Provider string `json:"providerID"`
	} `json:"spec"`
	Phase phase `json:"status"`
}

// phase is two levels down in the full object.
type phase struct {
	Phase string `json:"phase"`
}

const list = `{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[
{"metadata":{"name":"a","uid":"1","resourceVersion":"5","creationTimestamp":"2026-01-01T00:00:00Z","labels":{"zone":"x"},"annotations":{"b":"c"},"managedFields":[{"manager":"m"}]},
 "spec":{"providerID":"p1","taints":[{"key":"k"}]},"status":{"phase":"Ready","images":[{"names":["big"]}]}},
{"metadata":{"name":"b","uid":"2","resourceVersion":"6"},"spec":{"providerID":"p2"},"status":{"phase":"Ready"}}]}`

func TestSlimObjectsAreListedAndIndexedLikeOthers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(list))
	}))
	defer server.Close()
	nodes := store.ForObjects[*node]()
	byPhase := store.AddIndex(
		nodes,
		"Phase",
		func(dst []string, n *node) []string { return append(dst, n.Phase.Phase) },
	)
	src := wire.Source[*node](
		wire.Conn{BaseURL: server.URL, Client: server.Client()},
		schema.GroupVersionResource{Version: "v1", Resource: "nodes"},
	)
	_, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*node], err error) error {
		if err != nil {
			return err
		}
		return nodes.Set(item.Object)
	})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for n := range byPhase.Get(nodes.Reader(), "Ready") {
		found = append(
			found,
			n.GetName()+n.Spec.Provider+n.GetLabels()["zone"]+string(n.GetUID())+n.GetResourceVersion(),
		)
	}
	slices.Sort(found)
	if want := []string{"ap1x15", "bp226"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}
