// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package samplecontroller

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	clientset "k8s.io/sample-controller/pkg/generated/clientset/versioned"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/clientgo/untyped"
)

// byNamespace is the index that client-go's listers need.
var byNamespace = cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}

// NewFoos returns the informer of Foos for a factory.
func NewFoos(client clientset.Interface, resync time.Duration) cache.SharedIndexInformer {
	untyped.Register[*Foo]() // for clientgo.StoreOf
	foos := client.SamplecontrollerV1alpha1().Foos(metav1.NamespaceAll)
	return clientgo.NewSharedIndexInformer(clientgo.ListWatch(foos, nil), &Foo{}, resync, byNamespace)
}

// NewDeployments returns the informer of Deployments for a factory.
func NewDeployments(client kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
	untyped.Register[*Deployment]()
	deployments := client.AppsV1().Deployments(metav1.NamespaceAll)
	return clientgo.NewSharedIndexInformer(
		clientgo.ListWatch(deployments, nil), &Deployment{}, resync, byNamespace)
}
