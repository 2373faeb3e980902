// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"iter"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Known returns what a cache holds under key if that has the UID and the
// resourceVersion, and so is the object that a source is about to decode. It is
// called often, from one goroutine for each list or watch.
type Known[T any] func(key types.NamespacedName, uid types.UID, resourceVersion string) (T, bool)

// Reuser is a ListerWatcher that need not decode an object that is known.
type Reuser[T any] interface {
	// Reusing returns a source like this one whose items are, where it can tell,
	// objects that known returns. It sets Item.Known on those.
	Reusing(known Known[T]) ListerWatcher[T]
}

// Reusing returns a source like src whose items are objects that known returns
// where possible, so that what a list finds unchanged is not in memory twice. If
// src is a [Reuser], they are not even decoded.
func Reusing[T any](src ListerWatcher[T], known Known[T]) ListerWatcher[T] {
	if r, ok := src.(Reuser[T]); ok {
		return r.Reusing(known)
	}
	return reusing[T]{src, known}
}

type reusing[T any] struct {
	ListerWatcher[T]
	known Known[T]
}

// List implements ListerWatcher.
func (r reusing[T]) List(ctx context.Context, opts metav1.ListOptions, each func(Item[T]) error) (metav1.ListMeta, error) {
	return r.ListerWatcher.List(ctx, opts, func(item Item[T]) error { return each(r.item(item)) })
}

// Watch implements ListerWatcher.
func (r reusing[T]) Watch(ctx context.Context, opts metav1.ListOptions) iter.Seq2[Event[T], error] {
	return func(yield func(Event[T], error) bool) {
		for event, err := range r.ListerWatcher.Watch(ctx, opts) {
			event.Item = r.item(event.Item)
			if !yield(event, err) {
				return
			}
		}
	}
}

func (r reusing[T]) item(item Item[T]) Item[T] {
	var none T
	meta, ok := any(item.Object).(metav1.Object)
	if !ok || item.Err != nil || any(item.Object) == any(none) || meta.GetUID() == "" || meta.GetResourceVersion() == "" {
		return item
	}
	key := types.NamespacedName{Namespace: meta.GetNamespace(), Name: meta.GetName()}
	if obj, ok := r.known(key, meta.GetUID(), meta.GetResourceVersion()); ok {
		return Item[T]{Object: obj, Known: true}
	}
	return item
}

// SupportsWatchList implements WatchLister.
func (r reusing[T]) SupportsWatchList() bool { return SupportsWatchList(r.ListerWatcher) }
