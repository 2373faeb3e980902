// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"errors"
	"fmt"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"k8s.io/apimachinery/pkg/types"
)

// entryOf returns the transformed object and the key of an item. If the object cannot be decoded or
// transformed, that is reported, and the entry is not usable. ok is false if the key is unknown.
func (r *Reflector[T]) entryOf(item source.Item[T]) (e entry[T], ok bool) {
	switch {
	case item.Err == nil:
		key, err := queue.ObjectKey(item.Object)
		if err != nil {
			item = source.Item[T]{Err: keyless(key, err)}
		} else if obj, err := r.transform(item.Object, key); err == nil {
			return entry[T]{key: key, obj: obj, usable: true}, true
		} else {
			of := key // a copy, because &key would allocate for every object
			item = source.Item[T]{Key: &of, Err: err}
		}
	case item.Key != nil && (errors.Is(item.Err, source.ErrKeep) || errors.Is(item.Err, source.ErrDrop)):
		return entry[T]{key: *item.Key, kept: true}, true
	}
	failure := newError(OpDecode, item.Err)
	failure.Key = item.Key
	r.report(failure)
	if item.Key == nil {
		return e, false
	}
	return entry[T]{key: *item.Key}, true
}

// keyless returns the error for a received object without a key.
func keyless(key types.NamespacedName, err error) error {
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
	switch became, err := queue.ObjectKey(out); {
	case err != nil:
		return out, fmt.Errorf("%w: %w", ErrTransformed, err)
	case became != key:
		return out, fmt.Errorf("%w: it returned %s", ErrTransformed, became)
	}
	return out, nil
}

// reused returns e with the cached object in place of an unchanged one. The source may have done so
// already.
func (r *Reflector[T]) reused(e entry[T]) entry[T] {
	if !e.usable || r.opts.Known == nil {
		return e
	}
	if known, ok := r.opts.Known(e.key); ok && accessor.Unchanged(known, e.obj) {
		e.obj = known
	}
	return e
}

// collection is the received part of a list.
type collection[T any] struct {
	entries  entries[T]
	byKey    map[types.NamespacedName]int // positions of a WatchList, where objects may come again
	nameless int                          // objects with an unknown key
}

// add appends an object of a LIST, which has each object once.
func (c *collection[T]) add(e entry[T]) { c.entries.add(e) }

// set adds or replaces an object, and reports whether it is new.
func (c *collection[T]) set(e entry[T]) bool {
	if c.byKey == nil {
		c.byKey = make(map[types.NamespacedName]int)
	}
	if i, ok := c.byKey[e.key]; ok {
		if at := c.entries.at(i); !e.usable && !e.gone && at.usable && !at.gone {
			at.stale = !e.kept // the last known state stays
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

// objects yields the usable objects.
func (c *collection[T]) objects() iter.Seq2[types.NamespacedName, T] {
	return func(yield func(types.NamespacedName, T) bool) {
		for e := range c.entries.all() {
			if e.usable && !e.gone && !yield(e.key, e.obj) {
				return
			}
		}
	}
}

// existing returns the number of objects, the keys of those whose latest state could not be decoded,
// and the keys of those whose cached state stays.
func (c *collection[T]) existing() (all int, undecoded, kept []types.NamespacedName) {
	for e := range c.entries.all() {
		if e.gone {
			continue
		}
		all++
		switch {
		case e.kept:
			kept = append(kept, e.key)
		case !e.usable || e.stale:
			undecoded = append(undecoded, e.key)
		}
	}
	return all, undecoded, kept
}
