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

// reads is what listers of namespaced and cluster-scoped kinds share.
type reads[T metav1.Object] struct {
	reader   Reader[T]
	resource *schema.GroupResource // a pointer keeps listers small
}

// Reader returns the reader underneath: live, or frozen after Snapshot. It is
// what the indexes of a store are asked through.
func (l reads[T]) Reader() Reader[T] { return l.reader }

// Lookup returns the object of a key. It allocates nothing.
func (l reads[T]) Lookup(key types.NamespacedName) (T, bool) { return l.reader.Get(key) }

// All yields every object.
func (l reads[T]) All() iter.Seq[T] { return l.reader.All() }

// List yields the objects whose labels selector matches; a nil selector, like
// one without requirements, matches all. A store with a label index answers from
// it, see [store.Matching].
func (l reads[T]) List(selector labels.Selector) iter.Seq[T] {
	if selector == nil || selector.Empty() {
		return l.reader.All()
	}
	return matching[T](selector).Get(l.reader)
}

func matching[T metav1.Object](selector labels.Selector) Query[T] {
	return store.Matching[types.NamespacedName, T](selector)
}

// Len returns how many objects there are.
func (l reads[T]) Len() int { return l.reader.Len() }

// Stale reports whether the API server has a newer state of key's object that
// could not be decoded.
func (l reads[T]) Stale(key types.NamespacedName) bool { return l.reader.Stale(key) }

// ResourceVersion returns the version of the source that the lister reflects; of a set of
// namespaces or shards, the earliest.
func (l reads[T]) ResourceVersion() string { return l.reader.ResourceVersion() }

// WaitFor returns once the lister reflects resourceVersion or later: wait for
// what a write returned, and read it; give it a context that ends. See
// [store.Reader.WaitFor] for how it fails.
func (l reads[T]) WaitFor(ctx context.Context, resourceVersion string) error {
	return l.reader.WaitFor(ctx, resourceVersion)
}

// get is Lookup with an error that says what was not found.
func (l reads[T]) get(key types.NamespacedName) (T, error) {
	obj, ok := l.reader.Get(key)
	if !ok {
		return obj, l.notFound(key)
	}
	return obj, nil
}

func (l reads[T]) notFound(key types.NamespacedName) error {
	var resource schema.GroupResource // of a zero lister
	if l.resource != nil {
		resource = *l.resource
	}
	return apierrors.NewNotFound(resource, key.Name)
}

// getCopy is get, and a deep copy.
func (l reads[T]) getCopy(key types.NamespacedName) (T, error) {
	obj, err := l.get(key)
	if err != nil {
		return obj, err
	}
	return Copy(obj)
}

// Copy returns a deep copy of obj, which the caller may change: what DeepCopyObject
// makes, or DeepCopy, which a type without a kind can have too. It fails for a type
// that has neither, or whose methods return another type.
func Copy[T metav1.Object](obj T) (T, error) {
	if o, ok := any(obj).(apiruntime.Object); ok {
		if c, ok := o.DeepCopyObject().(T); ok {
			return c, nil
		}
	}
	if o, ok := any(obj).(interface{ DeepCopy() T }); ok {
		return o.DeepCopy(), nil
	}
	var none T
	return none, &noCopyError{obj}
}

type noCopyError struct{ obj metav1.Object }

// Error tells types that have a kind, whose objects are whole, from slim ones.
func (e *noCopyError) Error() string {
	key := types.NamespacedName{Namespace: e.obj.GetNamespace(), Name: e.obj.GetName()}
	if _, whole := e.obj.(interface{ GetObjectKind() schema.ObjectKind }); whole {
		return fmt.Sprintf("cannot copy %s: %T has no DeepCopyObject that returns it; "+
			"have controller-gen object write one, for types below // +kubebuilder:object:root=true",
			key, e.obj)
	}
	return fmt.Sprintf("cannot copy %s: %T has no DeepCopy that returns it; "+
		"it has no kind, so it is a slim type, with some of the object's fields: "+
		"to write to the object, get all of it from the API server; "+
		"to have a copy of this, give the type a method DeepCopy() %T", key, e.obj, e.obj)
}
