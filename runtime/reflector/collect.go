// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"errors"
	"fmt"
	"iter"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"k8s.io/apimachinery/pkg/types"
)

// use returns what to do with an item: its object, transformed, and its key; or no
// object if it cannot be used, which has been reported then; ok is false if not even
// the key is known.
func (r *Reflector[T]) use(item source.Item[T]) (obj T, key types.NamespacedName, usable, ok bool) {
	if item.Err == nil {
		var err error
		if key, err = queue.ObjectKey(item.Object); err != nil {
			item = source.Item[T]{Err: keyless(key, err)}
		} else if obj, err = r.transform(item.Object, key); err == nil {
			return obj, key, true, true
		} else {
			of := key // and not key itself, which would be allocated for every object
			item = source.Item[T]{Key: &of, Err: err}
		}
	}
	e := newError(OpDecode, item.Err)
	e.Key = item.Key
	r.report(e)
	var none T
	if item.Key == nil {
		return none, key, false, false
	}
	return none, *item.Key, false, true
}

// keyless says of an object that was read why it has no key, of which err and what there
// is of the key tell.
func keyless(key types.NamespacedName, err error) error {
	switch {
	case errors.Is(err, queue.ErrNilObject):
		return errNilObject
	case errors.Is(err, queue.ErrNoName):
		return fmt.Errorf("the source handed over an object without metadata.name, in the namespace %q", key.Namespace)
	}
	return err
}

// transform transforms the object of key. What the transform must not do is an error.
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
	switch became, err := queue.ObjectKey(out); {
	case err != nil:
		return out, fmt.Errorf("%w: %w", ErrTransformed, err)
	case became != key:
		return out, fmt.Errorf("%w: it is named %s now", ErrTransformed, became)
	}
	return out, nil
}

// held returns what the cache holds instead of obj if the two are equal; the source may
// have seen to that already. Equal versions do not say it: a server that was restored
// from a backup gives them out again, and somebody may have written to the object in the
// cache.
func (r *Reflector[T]) held(key types.NamespacedName, obj T, usable bool) T {
	if !usable || r.opts.Known == nil || obj.GetResourceVersion() == "" {
		return obj
	}
	known, ok := r.opts.Known(key)
	if ok && known.GetResourceVersion() == obj.GetResourceVersion() && known.GetUID() == obj.GetUID() && reflect.DeepEqual(known, obj) {
		return known
	}
	return obj
}

// collection is a list in the making.
type collection[T any] struct {
	entries  entries[T]
	byKey    map[types.NamespacedName]int // position in entries; only if objects may change or go meanwhile
	nameless int                          // objects of which not even the key could be read
}

// add appends an object of a list, which has each object once.
func (c *collection[T]) add(e entry[T]) { c.entries.add(e) }

// set adds or replaces an object, and reports whether it was not there before.
func (c *collection[T]) set(e entry[T]) bool {
	if c.byKey == nil {
		c.byKey = make(map[types.NamespacedName]int)
	}
	if i, ok := c.byKey[e.key]; ok {
		if at := c.entries.at(i); !e.usable && !e.gone && at.usable && !at.gone {
			at.stale = true // the last known state stays
		} else {
			*at = e
		}
		return false
	}
	if e.gone {
		return false
	}
	c.byKey[e.key] = c.entries.len
	c.entries.add(e)
	return true
}

// objects yields what exists and can be used.
func (c *collection[T]) objects() iter.Seq2[types.NamespacedName, T] {
	return func(yield func(types.NamespacedName, T) bool) {
		for e := range c.entries.all() {
			if e.usable && !e.gone && !yield(e.key, e.obj) {
				return
			}
		}
	}
}

// existing returns how many objects there are, how many of them can be used, and the keys
// of those that could not be decoded, or not in their latest state.
func (c *collection[T]) existing() (all, usable int, kept []types.NamespacedName) {
	for e := range c.entries.all() {
		if e.gone {
			continue
		}
		all++
		if e.usable {
			usable++
		}
		if !e.usable || e.stale {
			kept = append(kept, e.key)
		}
	}
	return all, usable, kept
}
