// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/internal/typemeta"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

var (
	errNoList  = errors.New("the client returned neither a list nor an error")
	errNoWatch = errors.New("the client returned neither a watch nor an error")
)

// eventOf converts an event of a client, or returns the error that ends the watch. shared says that
// others may hold the object, too.
func eventOf[E any, T interface {
	*E
	metav1.Object
}](raw watch.Event, shared bool) (Event[T], error) {
	event := Event[T]{Type: raw.Type}
	var unread error
	if meta, ok := raw.Object.(metav1.Object); ok && !isNil[E](raw.Object) {
		if unread = accessor.Check(meta); unread == nil {
			event.ResourceVersion = meta.GetResourceVersion()
		}
	}
	if unread != nil {
		unread = fmt.Errorf("a watch event of type %s: %w", raw.Type, unread)
	}
	switch raw.Type {
	case watch.Added, watch.Modified, watch.Deleted:
		if event.Item.Err = unread; unread == nil {
			event.Item = itemOf[E, T](raw, shared)
		}
		return event, nil
	case watch.Bookmark:
		if unread != nil {
			return Event[T]{}, unread
		}
		if meta, ok := raw.Object.(metav1.Object); ok && !isNil[E](raw.Object) {
			event.InitialEventsEnd = meta.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true"
			return event, nil
		}
		return Event[T]{}, fmt.Errorf("a bookmark came with a %T, which has no metadata", raw.Object)
	case watch.Error:
		return Event[T]{}, apierrors.FromObject(raw.Object)
	default:
		return Event[T]{}, fmt.Errorf("a watch event came with the unknown type %q", raw.Type)
	}
}

// itemOf checks that the object of an event is a T: a fake client may send anything.
func itemOf[E any, T interface {
	*E
	metav1.Object
}](raw watch.Event, shared bool) Item[T] {
	if obj, ok := raw.Object.(T); ok && obj != nil {
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
	item := Item[T]{Err: err}
	if meta, ok := raw.Object.(metav1.Object); ok && !isNil[E](raw.Object) && meta.GetName() != "" {
		item.Key = &types.NamespacedName{Namespace: meta.GetNamespace(), Name: meta.GetName()}
		item.Err = fmt.Errorf("%s: %w", item.Key, item.Err)
	}
	return item
}

// isNil reports whether obj is nil, or a nil *E in an interface.
func isNil[E any](obj runtime.Object) bool {
	typed, ok := any(obj).(*E)
	return obj == nil || ok && typed == nil
}
