// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package layer

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// Informer is an informer of a cache. A Layer gets it before it is made, without a SharedIndexInformer.
type Informer struct {
	toolscache.SharedIndexInformer
	Synced toolscache.DoneChecker // of the informer, which makes one for each call

	Kind          schema.GroupVersionKind
	Form          Form
	ClusterScoped bool
	Stored        runtime.Object   // an object of the type that the informer stores
	Parts         map[string]*Part // by configured namespace; see Configured
	Copies        Copier           // to objects of readers

	// Wrap, unless nil, returns the informer as the cache uses it.
	Wrap func(toolscache.SharedIndexInformer) toolscache.SharedIndexInformer
	// Object, unless nil, returns a stored object as readers see it.
	Object func(metav1.Object) metav1.Object
}

// Part is what an informer reads for a configured namespace.
type Part struct {
	Scope  Scope
	Source source.Source[metav1.Object] // of objects of the type that the informer stores
	Shares bool                         // UnsafeDisableDeepCopy applies
}

// Configured returns the configured namespace that a namespace belongs to: itself, or AllNamespaces.
func Configured[V any](byNamespace map[string]V, namespace string) string {
	if _, ok := byNamespace[namespace]; ok {
		return namespace
	}
	return cache.AllNamespaces
}

// WaitIn waits until the objects in a namespace are in the store, or all objects if it is nil.
func (i *Informer) WaitIn(ctx context.Context, namespace *string) error {
	switch {
	case toolscache.IsDone(i.Synced):
		return nil
	case namespace == nil:
		return clientgo.WaitForSync(ctx, i)
	}
	return clientgo.WaitForPart(ctx, i, Configured(i.Parts, *namespace))
}

// Read returns a stored object as readers see it.
func (i *Informer) Read(stored any) metav1.Object {
	if i.Object != nil {
		return i.Object(stored.(metav1.Object))
	}
	return stored.(metav1.Object)
}
