// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// delta is one object of a list, or one change of a watch.
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

// deltaOf returns the delta of an item, with the transformed object. change is Replaced in a list. An
// object that cannot be decoded or transformed is reported. Without it, the delta is Stale, Kept or
// Deleted. ok is false if the key is unknown.
func (r *Reflector[T]) deltaOf(change delta.Type, item source.Item[T]) (d objectDelta[T], ok bool) {
	kept := item.Key != nil && (errors.Is(item.Err, source.ErrKeep) || errors.Is(item.Err, source.ErrDrop))
	if item.Err == nil {
		key, err := r.keyOf(item.Object)
		if err != nil {
			item = source.Item[T]{Err: keyError(key, err)}
		} else if obj, err := r.transform(item.Object, key); err == nil {
			if change == delta.Replaced {
				obj = r.cached(key, obj)
			}
			return objectDelta[T]{Type: change, Key: key, Object: obj}, true
		} else {
			of := key // a copy, because &key would allocate for every object
			item = source.Item[T]{Key: &of, Err: err}
		}
	}
	if !kept {
		failure := newError(OpDecode, item.Err)
		failure.Key = item.Key
		r.report(failure)
	}
	if item.Key == nil {
		return d, false
	}
	d = objectDelta[T]{Type: delta.Stale, NoObject: true, Key: *item.Key}
	switch {
	case change == delta.Deleted:
		d.Type = change
	case kept:
		d.Type = delta.Kept
	}
	return d, true
}

// keyOf returns the key of an object. An object of a fake client may have no name. Only fakes send objects
// without a resourceVersion either, and they have no WatchLists.
func (r *Reflector[T]) keyOf(obj T) (types.NamespacedName, error) {
	key, err := queue.ObjectKey(obj)
	if errors.Is(err, queue.ErrNoName) && r.state.noWatchList && obj.GetResourceVersion() == "" {
		err = nil
	}
	return key, err
}

// keyError returns the error for a received object without a key.
func keyError(key types.NamespacedName, err error) error {
	switch {
	case errors.Is(err, queue.ErrNilObject):
		return errNilObject
	case errors.Is(err, queue.ErrNoName):
		return fmt.Errorf("the source returned an object without metadata.name in namespace %q", key.Namespace)
	}
	return err
}

// transform calls Options.Transform and checks its result.
func (r *Reflector[T]) transform(obj T, key types.NamespacedName) (out T, err error) {
	if r.opts.Transform == nil {
		return obj, nil
	}
	defer func() {
		if v := recover(); v != nil {
			cause, ok := v.(error)
			if !ok {
				cause = fmt.Errorf("%v", v)
			}
			err = fmt.Errorf("%w: %w", ErrTransformPanicked, cause)
		}
	}()
	if out, err = r.opts.Transform(obj); err != nil {
		return out, fmt.Errorf("%w: %w", ErrTransformFailed, err)
	}
	switch became, err := r.keyOf(out); {
	case err != nil:
		return out, fmt.Errorf("%w: %w", ErrTransformed, err)
	case became != key:
		return out, fmt.Errorf("%w: it returned %s", ErrTransformed, became)
	}
	return out, nil
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
