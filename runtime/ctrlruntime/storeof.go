// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/untyped"
)

// StoreOf returns the typed store in which c, such as mgr.GetCache(), has the objects of type T. Emitted
// listers and indexes over it need no watch and no copy of their own:
//
//	s, err := ctrlruntime.StoreOf[*v1.Device](ctx, mgr.GetCache())
//	devices := v1.NewDeviceLister(s)
//	lister := v1.NewDeviceLister(devices)
//
// When a reconciler is called for an object, the store has that object, or a later state of it. Objects of
// the store are shared: do not modify them.
//
// StoreOf starts an informer if there is none. Once c has started, StoreOf waits until the informer has
// synced. If T is not a type of an emitted package, call StoreOf before c has an informer for T.
//
// StoreOf returns an error if c is neither from [NewCache] nor has clientgo.NewSharedIndexInformer as
// NewInformer, and if c reads T in several namespaces.
func StoreOf[T client.Object](ctx context.Context, c cache.Cache) (*store.Store[types.NamespacedName, T], error) {
	untyped.Register[T]()
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Pointer {
		return nil, fmt.Errorf("%v is not a pointer to a Go type of objects", t)
	}
	informer, err := c.GetInformer(ctx, reflect.New(t.Elem()).Interface().(T))
	if err != nil {
		return nil, err
	}
	if shared, ok := informer.(toolscache.SharedInformer); ok {
		if _, ours := clientgo.Stats(shared); ours {
			return clientgo.StoreOf[T](shared)
		}
	}
	if _, ok := c.(*managedCache); ok {
		return nil, fmt.Errorf("the cache has a store of %v for each of its namespaces: read with the cache's List, "+
			"or make an informer for these namespaces with the emitted NewInformers and HTTPSourcesIn", t)
	}
	return nil, fmt.Errorf("a %T has no typed store of %v: set NewCache to ctrlruntime.NewCache in manager.Options, "+
		"or NewInformer to clientgo.NewSharedIndexInformer in cache.Options", c, t)
}
