// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package trigger

import (
	"iter"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Ref is a reference: the key of a namespaced object or the name of a cluster-scoped one, of any string type.
type Ref interface{ Key | ~string }

// On adds an edge for references from T to S: a change of an object of S concerns the objects that
// refer to it. refs appends the references of an object, and by yields the objects with a reference;
// indexer-gen emits both for +index:ref:
//
//	trigger.On(t, gateways, IndexHTTPRouteByGateway, routes.ByGateway)
//
// If to is an edge, the new edge is a hop. A change of S then has the effect of changes of those objects
// on the edge to, whatever its Changed drops.
func On[T, S metav1.Object, K Ref](
	to Target[T], from informer.Interface[S], refs func(dst []K, t T) []K, by func(K) iter.Seq[T],
) *Edge[S, T] {
	to.letThrough(moved(refs))
	return connect(to, from, func(c change[S], concern func(object[T])) {
		each(by(refTo[K](c.key)), concern)
	})
}

// OnRefs adds an edge for references from S to T: a change of an object of S concerns the objects to
// which it refers, before the change or after. They need not be in the cache.
//
//	trigger.OnRefs(t, localQueues, IndexLocalQueueByClusterQueue)
func OnRefs[T, S metav1.Object, K Ref](
	to Target[T], from informer.Interface[S], refs func(dst []K, s S) []K,
) *Edge[S, T] {
	e := connect(to, from, func(c change[S], concern func(object[T])) {
		for _, ref := range valuesOf(c, refs) {
			concern(to.lookup(keyOf(ref)))
		}
	})
	e.letThrough(moved(refs))
	return e
}

// OnShared adds an edge for objects of S and T that have a value in common, such as a reference to the same
// object: a change of an object of S concerns the objects that have one of its values, before the
// change or after. What the value refers to need not be in the cache.
//
//	trigger.OnShared(t, slices, IndexEndpointSliceByService, IndexHTTPRouteByService, routes.ByService)
func OnShared[T, S metav1.Object, V comparable](
	to Target[T], from informer.Interface[S], of func(dst []V, s S) []V,
	refs func(dst []V, t T) []V, by func(V) iter.Seq[T],
) *Edge[S, T] {
	to.letThrough(moved(refs))
	e := connect(to, from, func(c change[S], concern func(object[T])) {
		for _, value := range valuesOf(c, of) {
			each(by(value), concern)
		}
	})
	e.letThrough(moved(of))
	return e
}

// each calls concern for objects. Most of them are in no cache of the processor, so it reads the keys of a few at
// a time in a loop of their own, which waits for all of these at once.
func each[T metav1.Object](found iter.Seq[T], concern func(object[T])) {
	var few struct {
		objects [16]T
		keys    [16]Key
		n       int
	}
	flush := func() {
		for i, t := range few.objects[:few.n] {
			few.keys[i] = store.KeyOf(t)
		}
		for i, t := range few.objects[:few.n] {
			concern(object[T]{few.keys[i], t, true})
		}
		few.n = 0
	}
	for t := range found {
		few.objects[few.n] = t
		if few.n++; few.n == len(few.objects) {
			flush()
		}
	}
	flush()
}

// moved reports whether two states of an object have different values.
func moved[S metav1.Object, V comparable](values func([]V, S) []V) func(old, new S) bool {
	return func(old, new S) bool { return !slices.Equal(values(nil, old), values(nil, new)) }
}

// valuesOf returns the values of all states, each once.
func valuesOf[S metav1.Object, V comparable](c change[S], values func([]V, S) []V) []V {
	var all []V
	for _, s := range c.states {
		for _, v := range values(nil, s) {
			if !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	return all
}

// refTo returns the reference to the object of a key.
func refTo[K Ref](key Key) (ref K) {
	if r, ok := any(&ref).(*Key); ok {
		*r = key
	} else {
		reflect.ValueOf(&ref).Elem().SetString(key.Name)
	}
	return ref
}

// keyOf returns the key of the object that a reference is to.
func keyOf[K Ref](ref K) Key {
	if key, ok := any(ref).(Key); ok {
		return key
	}
	return Key{Name: reflect.ValueOf(ref).String()}
}
