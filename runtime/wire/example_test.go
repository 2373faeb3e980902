// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// PodOnNode is what one reader wants to know of a Pod.
type PodOnNode struct {
	metav1.ObjectMeta `json:"metadata"`

	Spec struct {
		NodeName string `json:"nodeName"`
	} `json:"spec"`
}

func ExampleSource() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(
			w,
			`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[
			{"metadata":{"namespace":"default","name":"web"},"spec":{"nodeName":"node-1"}},
			{"metadata":{"namespace":"default","name":"odd"},"spec":{"nodeName":["node-1"]}}]}`,
		)
	}))
	defer server.Close()

	pods := wire.Source[*PodOnNode](
		wire.Conn{Client: server.Client(), BaseURL: server.URL},
		schema.GroupVersionResource{Version: "v1", Resource: "pods"},
		wire.InNamespace("default"),
	)
	meta, err := pods.List(context.Background(), metav1.ListOptions{}, func(item source.Delta[*PodOnNode], err error) error {
		if err != nil {
			fmt.Println("error:", err)
			return nil
		}
		fmt.Println(item.Object.Name, "on", item.Object.Spec.NodeName)
		return nil
	})
	fmt.Println("as of", meta.ResourceVersion, err)
	// Output:
	// web on node-1
	// error: pods default/odd cannot be decoded: .spec.nodeName: a JSON array does not fit the Go type string
	// as of 7 <nil>
}
