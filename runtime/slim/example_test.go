// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package slim_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/slim"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// Pod is what one reader wants to know of a Pod.
type Pod struct {
	slim.Meta `json:"metadata"`

	Spec struct {
		NodeName string `json:"nodeName,omitempty"`
	} `json:"spec"`
	Status struct {
		Phase string `json:"phase,omitempty"`
	} `json:"status"`
}

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(
			w,
			`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{
			"metadata":{"namespace":"default","name":"web","labels":{"app":"web"},"managedFields":[{"manager":"kubectl"}]},
			"spec":{"nodeName":"node-1","containers":[{"name":"nginx"}]},
			"status":{"phase":"Running","podIP":"10.0.0.2"}}]}`,
		)
	}))
	defer server.Close()

	pods := wire.Source[*Pod](
		wire.Conn{Client: server.Client(), BaseURL: server.URL},
		schema.GroupVersionResource{Version: "v1", Resource: "pods"},
		wire.InNamespace("default"),
	)
	_, err := pods.List(context.Background(), metav1.ListOptions{}, func(item source.Item[*Pod]) error {
		pod := item.Object
		fmt.Println(pod.Name, "is", pod.Status.Phase, "on", pod.Spec.NodeName)
		fmt.Println("labels:", len(pod.GetLabels()))
		return item.Err
	})
	fmt.Println(err)
	// Output:
	// web is Running on node-1
	// labels: 0
	// <nil>
}
