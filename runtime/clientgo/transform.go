// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"context"
	"fmt"
	"iter"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// transformed passes the objects of a source through a transform.
type transformed struct {
	source.ListerWatcher[metav1.Object]
	transform cache.TransformFunc // may be nil; set before the first request
}

// SupportsWatchList implements source.WatchLister.
func (s *transformed) SupportsWatchList() bool { return source.SupportsWatchList(s.ListerWatcher) }

// Reusing implements source.Reuser. A transform may modify objects, so they must not share parts.
func (s *transformed) Reusing(
	held func(types.NamespacedName) (metav1.Object, bool),
) source.ListerWatcher[metav1.Object] {
	if s.transform != nil {
		return s
	}
	return source.Reusing(s.ListerWatcher, held)
}

// List implements source.ListerWatcher.
func (s *transformed) List(
	ctx context.Context, opts metav1.ListOptions, each func(source.Item[metav1.Object]) error,
) (metav1.ListMeta, error) {
	return s.ListerWatcher.List(ctx, opts, func(item source.Item[metav1.Object]) error {
		item, err := s.itemOf(item)
		if err != nil {
			return err
		}
		return each(item)
	})
}

// Watch implements source.ListerWatcher.
func (s *transformed) Watch(
	ctx context.Context, opts metav1.ListOptions,
) iter.Seq2[source.Event[metav1.Object], error] {
	return func(yield func(source.Event[metav1.Object], error) bool) {
		for event, err := range s.ListerWatcher.Watch(ctx, opts) {
			if err == nil {
				event.Item, err = s.itemOf(event.Item)
			}
			if !yield(event, err) || err != nil {
				return
			}
		}
	}
}

// itemOf returns item with the object that the transform returns, or an error if that cannot be stored.
func (s *transformed) itemOf(item source.Item[metav1.Object]) (source.Item[metav1.Object], error) {
	if s.transform == nil || item.Object == nil {
		return item, nil
	}
	key := keyOrNil(item.Object) // before transform, which may fail halfway
	obj, err := s.call(item.Object)
	if err != nil {
		return source.Item[metav1.Object]{Key: key, Err: fmt.Errorf("%s: %w", key, err)}, nil
	}
	object, ok := obj.(metav1.Object)
	if !ok {
		return item, fmt.Errorf("%s: transform returned a %T, which is not a metav1.Object", key, obj)
	}
	return source.Item[metav1.Object]{Object: object}, nil
}

// call calls the transform. A panic is an error.
func (s *transformed) call(obj metav1.Object) (out any, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w: %v", reflector.ErrTransformPanicked, v)
		}
	}()
	if out, err = s.transform(obj); err != nil {
		// The error is not wrapped: source.ErrKeep and ErrDrop are for sources.
		err = fmt.Errorf("%w: %v", reflector.ErrTransformFailed, err)
	}
	return out, err
}
