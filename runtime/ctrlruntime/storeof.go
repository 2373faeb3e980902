// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// StoreOf returns the typed store in which c, such as mgr.GetCache(), has the objects of type T. Emitted
// listers and indexes over it need no watch and no copy of their own:
//
//	s, err := ctrlruntime.StoreOf[*v1.Device](ctx, mgr.GetCache())
//	if err != nil {
//		return err
//	}
//	devices := v1.NewDeviceLister(s)
//
// When a reconciler is called for an object, the store has that object, or a later state of it. Objects of
// the store are shared: do not modify them.
//
// StoreOf starts an informer if there is none. Once c has started, StoreOf waits until the informer has
// synced. Call StoreOf before anything else that makes an informer for T, such as IndexField, or call
// clientgo.Register[T]() first in main.
//
// The store has the objects of all namespaces that c reads. StoreOf returns an error if c is not from [NewCache], and
// clientgo.NewSharedIndexInformer is not its NewInformer. With NewInformer, c must have no namespaces.
func StoreOf[T client.Object](ctx context.Context, c cache.Cache) (*store.Store[types.NamespacedName, T], error) {
	i, err := InformerOf[T](ctx, c)
	if err != nil {
		return nil, err
	}
	return i.Store(), nil
}

// InformerOf returns the informer by which c has the objects of type T, with the typed store of [StoreOf], for
// package trigger. Its errors and what it does otherwise are those of StoreOf. c runs the informer.
func InformerOf[T client.Object](ctx context.Context, c cache.Cache) (*informer.Informer[T], error) {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Pointer {
		return nil, fmt.Errorf("%v is not a pointer to a Go type of objects", t)
	}
	obj := reflect.New(t.Elem()).Interface().(T)
	switch any(obj).(type) {
	case *metav1.PartialObjectMetadata, runtime.Unstructured:
		return nil, fmt.Errorf("a %v is read as objects of many kinds: emit an informer of an alias with +groupName, "+
			"+versionName and +kubebuilder:resource, and run it with a Runnable; for a type of HoldRead, use "+
			"WatchesMetadata", t)
	}
	own, isOwn := c.(layer.Cache)
	if isOwn {
		if err := own.NoStore(obj); err != nil {
			return nil, err
		}
	}
	clientgo.Register[T]()
	made, err := c.GetInformer(ctx, obj)
	if err != nil {
		if isOwn && ctx.Err() != nil && own.InformerOf(obj) != nil {
			err = fmt.Errorf("%w: %w", err, clientgo.WaitForSync(ctx, own.InformerOf(obj)))
		}
		return nil, err
	}
	if shared, ok := made.(toolscache.SharedInformer); ok {
		if _, ours := clientgo.Stats(shared); ours {
			return clientgo.InformerOf[T](shared)
		}
	}
	return nil, fmt.Errorf("a %T has no typed store of %v: set NewCache in manager.Options to ctrlruntime.NewCache, which "+
		"has one for all namespaces, or, without namespaces, NewInformer in cache.Options to "+
		"clientgo.NewSharedIndexInformer", c, t)
}
