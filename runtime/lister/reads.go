// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package lister

import (
	"context"
	"fmt"
	"iter"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// resourceReader has the methods that both types of listers share.
type resourceReader[T metav1.Object] struct {
	reader   Reader[T]
	resource *schema.GroupResource // a pointer keeps listers small
}

// Reader returns the lister's reader, which is frozen after Snapshot. Pass it to indexes and
// queries of the store.
func (l resourceReader[T]) Reader() Reader[T] { return l.reader }

// Lookup returns the object of a key. It allocates nothing.
func (l resourceReader[T]) Lookup(key types.NamespacedName) (T, bool) { return l.reader.Get(key) }

// All yields every object.
func (l resourceReader[T]) All() iter.Seq[T] { return l.reader.All() }

// List yields the objects whose labels match selector. A selector that is nil or has no
// requirements matches all. If the store has a label index, List uses it; see
// [store.Matching].
func (l resourceReader[T]) List(selector labels.Selector) iter.Seq[T] {
	if selector == nil || selector.Empty() {
		return l.reader.All()
	}
	return selectorQuery[T](selector).Get(l.reader)
}

func selectorQuery[T metav1.Object](selector labels.Selector) Query[T] {
	return store.Matching[types.NamespacedName, T](selector)
}

// Len returns the number of objects.
func (l resourceReader[T]) Len() int { return l.reader.Len() }

// Stale reports whether the API server has a newer state of key's object that
// could not be decoded.
func (l resourceReader[T]) Stale(key types.NamespacedName) bool { return l.reader.Stale(key) }

// ResourceVersion returns the resourceVersion that the lister reflects. For several namespaces
// or shards it is the earliest one.
func (l resourceReader[T]) ResourceVersion() string { return l.reader.ResourceVersion() }

// WaitFor returns when the lister reflects resourceVersion or a later one. Wait for the version
// that a write returned, to read your own write. Give it a context with a deadline. See
// [store.Reader.WaitFor] for its errors.
func (l resourceReader[T]) WaitFor(ctx context.Context, resourceVersion string) error {
	return l.reader.WaitFor(ctx, resourceVersion)
}

// get is Lookup with a NotFound error.
func (l resourceReader[T]) get(key types.NamespacedName) (T, error) {
	obj, ok := l.reader.Get(key)
	if !ok {
		return obj, l.notFoundError(key)
	}
	return obj, nil
}

func (l resourceReader[T]) notFoundError(key types.NamespacedName) error {
	var resource schema.GroupResource // of a zero lister
	if l.resource != nil {
		resource = *l.resource
	}
	return apierrors.NewNotFound(resource, key.Name)
}

// getCopy returns a deep copy of the object that get returns.
func (l resourceReader[T]) getCopy(key types.NamespacedName) (T, error) {
	obj, err := l.get(key)
	if err != nil {
		return obj, err
	}
	return deepCopyOf(obj)
}

// deepCopyOf returns a deep copy of obj, which the caller may change. It calls obj's DeepCopyObject
// or, for types without a kind, DeepCopy. It returns an error if T has neither of them, or if
// they return another type.
func deepCopyOf[T metav1.Object](obj T) (T, error) {
	if o, ok := any(obj).(apiruntime.Object); ok {
		if c, ok := o.DeepCopyObject().(T); ok {
			return c, nil
		}
	}
	if o, ok := any(obj).(interface{ DeepCopy() T }); ok {
		return o.DeepCopy(), nil
	}
	key, advice := store.KeyOf(obj), "DeepCopyObject that returns it; "+
		"mark the type // +kubebuilder:object:root=true and run controller-gen object"
	if _, whole := any(obj).(interface{ GetObjectKind() schema.ObjectKind }); !whole {
		advice = fmt.Sprintf("DeepCopy that returns it; it has no kind, so it is a slim type: "+
			"to update the object, get the whole object from the API server; "+
			"to copy the cached one, give the type a method DeepCopy() %T", obj)
	}
	var none T
	return none, fmt.Errorf("cannot copy %s: %T has no %s", key, obj, advice)
}
