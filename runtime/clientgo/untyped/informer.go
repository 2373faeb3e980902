// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package untyped

import (
	"context"
	"fmt"
	"reflect"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Informer runs an informer. Its methods are those of *informer.Informer.
type Informer interface {
	// Typed returns the *informer.Informer[T] that is behind the Informer.
	Typed() any
	Store() Store
	Run(ctx context.Context) error
	Synced() <-chan struct{}
	WaitForSync(ctx context.Context) error
	AddEventHandler(h informer.Handler[metav1.Object], opts ...informer.HandlerOption) *informer.Registration
	Stats() informer.Stats
	Present() (present bool, changed <-chan struct{})
	Wake()
}

// Of returns i as an Informer.
func Of[T metav1.Object](i *informer.Informer[T]) Informer { return informerOf[T]{i} }

type informerOf[T metav1.Object] struct{ *informer.Informer[T] }

func (i informerOf[T]) Typed() any { return i.Informer }

func (i informerOf[T]) Store() Store { return OfStore(i.Informer.Store()) }

func (i informerOf[T]) AddEventHandler(
	h informer.Handler[metav1.Object], opts ...informer.HandlerOption,
) *informer.Registration {
	return i.Informer.AddEventHandler(handlerOf[T]{h}, opts...)
}

type handlerOf[T metav1.Object] struct {
	h informer.Handler[metav1.Object]
}

func (h handlerOf[T]) OnAdd(obj T, inInitialList bool) { h.h.OnAdd(obj, inInitialList) }
func (h handlerOf[T]) OnUpdate(old, new T)             { h.h.OnUpdate(old, new) }
func (h handlerOf[T]) OnDelete(t informer.Tombstone[T]) {
	h.h.OnDelete(informer.Tombstone[metav1.Object]{
		Key: t.Key, Object: t.Object, LastSeen: t.LastSeen,
		FinalStateUnknown: t.FinalStateUnknown, SourceRemoved: t.SourceRemoved,
	})
}

// functions are instantiated for a registered type.
type functions struct {
	newInformer func(
		schema.GroupVersionResource, source.Source[metav1.Object], []store.Option, []informer.Option,
	) Informer
	deepCopyInto func(from, into metav1.Object) // nil if the type does not have the method
}

var registered sync.Map // reflect.Type → functions

// Register makes [New] store objects of type T in a store of T, from now on, in the whole program. Call it for
// types whose typed stores you read, before their informers are made:
//
//	untyped.Register[*v1.Device]()
//
// Such an informer holds no other types. If a transform returns another one, its list fails.
func Register[T metav1.Object]() {
	f := functions{newInformer: newInformer[T]}
	var obj T
	if _, ok := any(obj).(deepCopier[T]); ok {
		f.deepCopyInto = func(from, into metav1.Object) { from.(deepCopier[T]).DeepCopyInto(into.(T)) }
	}
	registered.Store(reflect.TypeFor[T](), f)
}

type deepCopier[T any] interface{ DeepCopyInto(into T) }

// DeepCopyInto returns a function that calls the method DeepCopyInto of from. Both arguments must have the
// type of example. It returns nil if that type is not registered or does not have the method.
func DeepCopyInto(example any) func(from, into metav1.Object) {
	f, _ := registered.Load(reflect.TypeOf(example))
	known, _ := f.(functions)
	return known.deepCopyInto
}

// New returns an informer that mirrors src in a new store. If the type of example is registered, it is
// the type of the store, and a list or watch with an object of another type fails. Otherwise the store holds
// any metav1.Object.
func New(
	example any, gvr schema.GroupVersionResource, src source.Source[metav1.Object],
	storeOpts []store.Option, opts ...informer.Option,
) Informer {
	if f, ok := registered.Load(reflect.TypeOf(example)); ok {
		return f.(functions).newInformer(gvr, src, storeOpts, opts)
	}
	return newInformer[metav1.Object](gvr, src, storeOpts, opts)
}

func newInformer[T metav1.Object](
	gvr schema.GroupVersionResource, src source.Source[metav1.Object],
	storeOpts []store.Option, opts []informer.Option,
) Informer {
	return Of(informer.New(gvr, sourceOf[T](src), store.ForObjects[T](storeOpts...), opts...))
}

// sourceOf returns a source of the objects of src as objects of type T.
func sourceOf[T metav1.Object](src source.Source[metav1.Object]) source.Source[T] {
	return source.Convert(src, source.Conversion[metav1.Object, T]{
		Object: objectOf[T],
		Held: func(held func(types.NamespacedName) (T, bool)) func(types.NamespacedName) (metav1.Object, bool) {
			return func(key types.NamespacedName) (metav1.Object, bool) {
				obj, ok := held(key)
				return obj, ok
			}
		},
	})
}

// objectOf returns obj as a T. An object of another type ends the list or watch.
func objectOf[T metav1.Object](key types.NamespacedName, obj metav1.Object) (T, error) {
	typed, err := as[T](obj)
	if err != nil {
		err = source.Stop(fmt.Errorf(
			"%s: %w: a transform must return that type, because untyped.Register was called for it", key, err))
	}
	return typed, err
}

func nameOf[T any]() string { return reflect.TypeFor[T]().String() }
