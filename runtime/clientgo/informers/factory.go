// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informers

import (
	"fmt"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/watchlist"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// NewSharedInformerFactory returns a factory of client-go whose informers are those of package clientgo. A type
// gets its informer when it is first requested, in any order. An informer that the program passes to InformerFor
// stays as it is.
func NewSharedInformerFactory(
	client kubernetes.Interface, resync time.Duration, opts ...SharedInformerOption,
) informers.SharedInformerFactory {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	f := informers.NewSharedInformerFactoryWithOptions(noticing{client}, resync, o.own...)
	return &factory{f, ours{f, o.InformerOptions}, client, o.Namespace, o.TweakListOptions}
}

// factory overrides the methods of client-go's factory that lead to informers. The informers themselves are
// client-go's to keep, start and stop.
type factory struct {
	informers.SharedInformerFactory
	ours   ours
	client kubernetes.Interface

	// Named as in client-go's factory, so that clientgo.InformerFor sees them.
	namespace        string
	tweakListOptions func(*metav1.ListOptions)
}

// InformerFor makes the informer that the program passes.
func (f *factory) InformerFor(
	example runtime.Object, newFunc internalinterfaces.NewInformerFunc,
) cache.SharedIndexInformer {
	return f.SharedInformerFactory.InformerFor(
		example, func(_ kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
			return newFunc(f.client, resync)
		})
}

// ForResource makes the informer before client-go's factory finds it.
func (f *factory) ForResource(resource schema.GroupVersionResource) (informers.GenericInformer, error) {
	gv := resource.GroupVersion()
	for kind, t := range scheme.Scheme.KnownTypes(gv) {
		if plural, _ := meta.UnsafeGuessKindToResource(gv.WithKind(kind)); plural != resource {
			continue
		}
		example, ok := reflect.New(t).Interface().(runtime.Object)
		if !ok {
			continue
		}
		if _, err := f.ours.informer(example); err != nil {
			return nil, err
		}
		return f.SharedInformerFactory.ForResource(resource)
	}
	return nil, fmt.Errorf("no informer found for %v", resource)
}

// ours is the factory that client-go's API groups get. Its informers are ours.
type ours struct {
	informers.SharedInformerFactory
	options clientgo.InformerOptions
}

// InformerFor returns our informer instead of client-go's. The error is dropped: it says that the program has
// passed another informer, which is returned, since the types of client-go's API groups have clients.
func (f ours) InformerFor(example runtime.Object, _ internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	i, _ := f.informer(example)
	return i
}

// informer returns the informer of a type, ours unless the program has passed another to InformerFor.
func (f ours) informer(example runtime.Object) (cache.SharedIndexInformer, error) {
	opts := f.options
	if kinds, _, err := scheme.Scheme.ObjectKinds(example); err == nil {
		opts.Resource, _ = meta.UnsafeGuessKindToResource(kinds[0])
	}
	i, err := clientgo.InformerFor(f.SharedInformerFactory, example, opts)
	if i == nil {
		return nil, err
	}
	return i, nil
}

// noticing is the client that client-go's factory gets. client-go calls its method when it makes an informer of
// its own.
type noticing struct{ kubernetes.Interface }

func (c noticing) IsWatchListSemanticsUnSupported() bool {
	utilruntime.HandleError(fmt.Errorf("an informer of client-go was made, since package informers of " +
		"indexer-gen does not know its API group: call InformerFor of package runtime/clientgo for its type first"))
	return watchlist.DoesClientNotSupportWatchListSemantics(c.Interface)
}
