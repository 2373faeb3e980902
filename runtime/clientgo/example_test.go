// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// A lister of client-go reads a store of ours.
func ExampleNewIndexer() {
	pods := store.ForObjects[*corev1.Pod]()
	pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}})
	byNamespace := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	lister := listers.NewPodLister(clientgo.NewIndexer(pods, byNamespace))
	pod, err := lister.Pods("ns").Get("a")
	fmt.Println(pod.Name, err)
	// Output: a <nil>
}
