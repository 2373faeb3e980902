// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/internal/typemeta"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// objectPointer is the constraint of *E, the type of objects.
type objectPointer[E any] interface {
	*E
	metav1.Object
}

// eventOf converts an event of a client, or returns the error that ends the watch. shared says that
// others may hold the object, too.
func eventOf[E any, T objectPointer[E]](raw watch.Event, shared bool) (event Event[T], err error) {
	switch raw.Type {
	case watch.Added, watch.Modified, watch.Deleted, watch.Bookmark:
	case watch.Error:
		return event, apierrors.FromObject(raw.Object)
	default:
		return event, fmt.Errorf("a watch event came with the unknown type %q", raw.Type)
	}
	var key types.NamespacedName
	meta, ok := raw.Object.(metav1.Object)
	if ok {
		key, err = accessor.Key(meta)
	} else {
		err = fmt.Errorf("a %T has no metadata", raw.Object)
	}
	if err != nil {
		err = fmt.Errorf("a watch event of type %s: %w", raw.Type, err)
		if raw.Type == watch.Bookmark {
			return event, err
		}
		return Event[T]{Type: raw.Type, Item: Item[T]{Err: err}}, nil
	}
	event.Type, event.ResourceVersion = raw.Type, meta.GetResourceVersion()
	if raw.Type == watch.Bookmark {
		event.InitialEventsEnd = meta.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true"
	} else {
		event.Item = itemOf[E, T](raw, key, shared)
	}
	return event, nil
}

// itemOf checks that the object of an event is a T: a fake client may send anything.
func itemOf[E any, T objectPointer[E]](raw watch.Event, key types.NamespacedName, shared bool) Item[T] {
	if obj, ok := raw.Object.(T); ok {
		if shared {
			if own, ok := raw.Object.DeepCopyObject().(T); ok {
				obj = own
			}
		}
		if typemeta.IsSet(obj) {
			// Another client may share the object, too.
			own := new(E)
			*own = *obj
			obj = own
			typemeta.Clear(obj)
		}
		return Item[T]{Object: obj}
	}
	var want T
	err := fmt.Errorf("a watch event of type %s came with a %T instead of a %T", raw.Type, raw.Object, want)
	if key.Name == "" {
		return Item[T]{Err: err}
	}
	return Item[T]{Key: &key, Err: fmt.Errorf("%s: %w", key, err)}
}
