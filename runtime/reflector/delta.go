// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// objectDelta is one object of a list, or one change of a watch.
type objectDelta[T any] = delta.Delta[types.NamespacedName, T]

// changeOf returns the type of the delta of a watch event, 0 for a bookmark.
func changeOf(t watch.EventType) (delta.Type, error) {
	switch t {
	case watch.Added:
		return delta.Added, nil
	case watch.Modified:
		return delta.Updated, nil
	case watch.Deleted:
		return delta.Deleted, nil
	case watch.Bookmark:
		return 0, nil
	}
	return 0, fmt.Errorf("the source sent an event of the unknown type %q", t)
}

// isDropped reports whether the source leaves the object of an item out.
func isDropped[T any](item source.Item[T]) bool {
	return item.Err != nil && item.Key != nil && errors.Is(item.Err, source.ErrDrop)
}

// deltaOf returns the delta of an item. change is Replaced in a list. An object that cannot be used is
// reported. Without an object, the delta is Stale, Kept or Deleted. ok is false if the key is unknown.
func (r *Reflector[T]) deltaOf(change delta.Type, item source.Item[T]) (d objectDelta[T], ok bool) {
	if item.Err == nil {
		key, err := r.keyOf(item.Object)
		if err == nil {
			if change == delta.Replaced {
				item.Object = r.cached(key, item.Object)
			}
			return objectDelta[T]{Type: change, Key: key, Object: item.Object}, true
		}
		item = source.Item[T]{Err: keyError(key, err)}
	}
	dropped, kept := isDropped(item), item.Key != nil && errors.Is(item.Err, source.ErrKeep)
	if !dropped && !kept {
		failure := newError(OpDecode, item.Err)
		failure.Key = item.Key
		r.event(Event{Type: EventFailed, Op: OpDecode, Err: failure})
	}
	if item.Key == nil {
		return d, false
	}
	d = objectDelta[T]{Type: delta.Stale, NoObject: true, Key: *item.Key}
	switch {
	case change == delta.Deleted, dropped:
		d.Type = delta.Deleted
	case kept:
		d.Type = delta.Kept
	}
	return d, true
}

// keyOf returns the key of an object. An object of a fake client may have no name. Only fakes send objects
// without a resourceVersion either, and they have no WatchLists.
func (r *Reflector[T]) keyOf(obj T) (types.NamespacedName, error) {
	key, err := delta.KeyOf(obj)
	if errors.Is(err, delta.ErrNoName) && r.state.noWatchList && obj.GetResourceVersion() == "" {
		err = nil
	}
	return key, err
}

// keyError returns the error for a received object without a key.
func keyError(key types.NamespacedName, err error) error {
	switch {
	case errors.Is(err, delta.ErrNilObject):
		return errNilObject
	case errors.Is(err, delta.ErrNoName):
		return fmt.Errorf("the source returned an object without metadata.name in namespace %q", key.Namespace)
	}
	return err
}

// cached returns the cached object in place of obj if they are equal. The source may have done so already.
func (r *Reflector[T]) cached(key types.NamespacedName, obj T) T {
	if r.opts.Known != nil {
		if known, ok := r.opts.Known(key); ok && accessor.Unchanged(known, obj) {
			return known
		}
	}
	return obj
}
