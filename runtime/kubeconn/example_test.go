// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package kubeconn_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/watch"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Print every Pod of a cluster, and then every change.
func ExampleLoad() {
	conn, err := kubeconn.Load("") // $KUBECONFIG, ~/.kube/config, or the Pod's service account
	if err != nil {
		fmt.Println(err)
		return
	}
	pods := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	src := wire.Source[*metav1.PartialObjectMetadata](conn, pods)
	for event, err := range watch.Events(context.Background(), src, watch.Options[*metav1.PartialObjectMetadata]{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(event.Type, event.Object.GetName())
	}
}
