// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package slim_test

import (
	"encoding/json"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/slim"
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

// Decoding a Pod of the server, as package wire does, leaves out all other fields.
func Example() {
	var pod Pod
	err := json.Unmarshal([]byte(`{
		"metadata":{"namespace":"default","name":"web","labels":{"app":"web"},"managedFields":[{"manager":"kubectl"}]},
		"spec":{"nodeName":"node-1","containers":[{"name":"nginx"}]},
		"status":{"phase":"Running","podIP":"10.0.0.2"}}`), &pod)
	fmt.Println(pod.Name, "is", pod.Status.Phase, "on", pod.Spec.NodeName)
	fmt.Println("labels:", len(pod.GetLabels()), err)
	// Output:
	// web is Running on node-1
	// labels: 0 <nil>
}
