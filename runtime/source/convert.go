// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Conversion is the argument of [Convert]. Its functions must be safe for concurrent use.
type Conversion[U any, T metav1.Object] struct {
	// Options, if set, changes the options of each request, or returns the error of the request.
	Options func(*metav1.ListOptions) error
	// Object converts an object, which is under key. Its results and errors are those of the function of a [Map],
	// or an error of [Stop].
	Object func(key types.NamespacedName, obj U) (T, error)
	// Renames, if set, lets Object change the namespace and name of an object. Convert calls it for each reader of
	// [Source.Reusing], and calls its result for each delta. That returns the key for a delta whose object is under
	// from in the source. The delta has the key of its object, or from if it has none. The end of each complete list
	// is an InitialEnd.
	Renames func() func(from types.NamespacedName, d Delta[T]) types.NamespacedName
	// Held, if set, returns the look-up in the reader's cache for the source that is converted. Without
	// it, or if it returns nil, no objects are reused.
	Held func(held func(types.NamespacedName) (T, bool)) func(types.NamespacedName) (U, bool)
}

// Convert returns a source that passes each object of src through c. It is what a source that wraps
// another one is made of: the facts and the parts of src stay.
func Convert[U any, T metav1.Object](src Source[U], c Conversion[U, T]) Source[T] {
	if parts := src.Parts(); parts != nil {
		return OfParts(Parts[T]{
			Sources: func() map[string]Source[T] {
				sources := make(map[string]Source[T])
				for name, part := range parts.Sources() {
					sources[name] = Convert(part, c)
				}
				return sources
			},
			Handover: parts.Handover, Follow: parts.Follow,
		})
	}
	if src.ListerWatcher == nil {
		return Source[T]{}
	}
	convert := func(from ListerWatcher[U]) ListerWatcher[T] {
		if c.Renames == nil {
			return convertedSource[U, T]{from, c, nil}
		}
		return convertedSource[U, T]{from, c, c.Renames()}
	}
	out := Source[T]{ListerWatcher: convert(src.ListerWatcher), NoWatchList: src.NoWatchList, Served: src.Served}
	out.Reuse = func(held func(types.NamespacedName) (T, bool)) ListerWatcher[T] {
		if c.Held != nil {
			if lookup := c.Held(held); lookup != nil {
				return convert(src.Reusing(lookup).ListerWatcher)
			}
		}
		return convert(src.ListerWatcher)
	}
	return out
}

type convertedSource[U any, T metav1.Object] struct {
	source ListerWatcher[U]
	Conversion[U, T]
	keyOf func(from types.NamespacedName, d Delta[T]) types.NamespacedName // nil if keys stay
}

// changeOptions changes the options of a request.
func (c convertedSource[U, T]) changeOptions(opts *metav1.ListOptions) error {
	if c.Options == nil {
		return nil
	}
	return c.Options(opts)
}

// List implements ListerWatcher.
func (c convertedSource[U, T]) List(
	ctx context.Context, opts metav1.ListOptions, each func(d Delta[T], err error) error,
) (metav1.ListMeta, error) {
	if err := c.changeOptions(&opts); err != nil {
		return metav1.ListMeta{}, err
	}
	meta, err := c.source.List(ctx, opts, func(from Delta[U], err error) error {
		return c.convertDelta(from, err, each)
	})
	if err == nil && meta.Continue == "" {
		c.withKey(types.NamespacedName{}, delta.Bare[types.NamespacedName, T](delta.InitialEnd))
	}
	return meta, err
}

// Watch implements ListerWatcher.
func (c convertedSource[U, T]) Watch(
	ctx context.Context, opts metav1.ListOptions, each func(d Delta[T], resourceVersion string, err error) error,
) error {
	if err := c.changeOptions(&opts); err != nil {
		return err
	}
	return c.source.Watch(ctx, opts, func(from Delta[U], resourceVersion string, err error) error {
		return c.convertDelta(from, err, func(d Delta[T], err error) error { return each(d, resourceVersion, err) })
	})
}

// convertDelta converts a delta and passes it to each. It is the one place where the errors of a conversion become types.
func (c convertedSource[U, T]) convertDelta(from Delta[U], err error, each func(d Delta[T], err error) error) error {
	d := Delta[T]{Type: from.Type, NoObject: from.NoObject, Key: from.Key}
	if d.NoObject {
		return each(c.withKey(from.Key, d), err)
	}
	if d.Object, d.Key, err = c.convertObject(from.Key, from.Object); err == nil {
		return each(c.withKey(from.Key, d), nil)
	}
	t, stop := delta.Stale, stopRequestError{}
	switch {
	case errors.As(err, &stop):
		return stop.error
	case errors.Is(err, ErrDrop):
		t, err = delta.Dropped, nil
	case errors.Is(err, ErrKeep):
		t, err = delta.Kept, nil
	default:
		err = fmt.Errorf("%s: %w", from.Key, err)
	}
	if d.Type == delta.Deleted {
		t = delta.Deleted
	}
	return each(c.withKey(from.Key, delta.WithKey[types.NamespacedName, T](t, from.Key)), err)
}

// withKey returns d with the key of its object, which is under from in the source.
func (c convertedSource[U, T]) withKey(from types.NamespacedName, d Delta[T]) Delta[T] {
	if c.keyOf != nil {
		d.Key = c.keyOf(from, d)
	}
	return d
}

// convertObject calls Object, and returns the key of its result. A panic becomes an error.
func (c convertedSource[U, T]) convertObject(key types.NamespacedName, obj U) (out T, became types.NamespacedName, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the conversion panicked: %v", p)
		}
	}()
	if out, err = c.Object(key, obj); err != nil {
		return out, key, err
	}
	if accessor.IsNil(out) {
		return out, key, ErrDrop
	}
	became, err = accessor.Key(out)
	if err == nil && became != key && c.Renames == nil {
		err = fmt.Errorf("the conversion returned %s; it must keep namespace and name", became)
	}
	return out, became, err
}

// Stop returns an error of a [Conversion] that ends the list or watch with err.
func Stop(err error) error { return stopRequestError{err} }

type stopRequestError struct{ error }

// Own returns a source like src that decodes each object anew: the objects share no parts with each other,
// and none comes from a cache. The function of a [Map] may modify them. This costs the memory that shared
// parts save, and the comparison with cached objects during a relist. Own copies nothing: a client of your
// own, behind [FromClient], must not keep the objects that it returns.
//
//	source.Map(source.Own(src), func(w *v1.Widget) (*v1.Widget, error) {
//		w.SetManagedFields(nil)
//		return w, nil
//	})
func Own[T metav1.Object](src Source[T]) Source[T] {
	return Convert(src, Conversion[T, T]{Object: func(_ types.NamespacedName, obj T) (T, error) { return obj, nil }})
}
