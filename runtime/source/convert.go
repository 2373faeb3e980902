// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"iter"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// Conversion is the argument of [Convert]. Its functions must be safe for concurrent use.
type Conversion[U, T any] struct {
	// Options, if set, changes the options of each request, or returns the error of the request.
	Options func(*metav1.ListOptions) error
	// Item converts an item. An error other than that of the item ends the list or watch.
	Item func(Item[U]) (Item[T], error)
	// Held, if set, returns the look-up in the reader's cache for the source that is converted. Without
	// it no objects are reused.
	Held func(held func(types.NamespacedName) (T, bool)) func(types.NamespacedName) (U, bool)
}

// Convert returns a source that passes each item of src through c. It is what a source that wraps
// another one is made of: the facts and the parts of src stay.
func Convert[U, T any](src Source[U], c Conversion[U, T]) Source[T] {
	if src.Parts != nil {
		return OfParts(Parts[T]{
			Sources: func() map[string]Source[T] {
				sources := make(map[string]Source[T])
				for name, part := range src.Parts.Sources() {
					sources[name] = Convert(part, c)
				}
				return sources
			},
			Handover: src.Parts.Handover, Follow: src.Parts.Follow,
		})
	}
	if src.ListerWatcher == nil {
		return Source[T]{}
	}
	out := Source[T]{ListerWatcher: converted[U, T]{src.ListerWatcher, c}, NoWatchList: src.NoWatchList, Served: src.Served}
	if src.Reuse != nil && c.Held != nil {
		out.Reuse = func(held func(types.NamespacedName) (T, bool)) ListerWatcher[T] {
			return converted[U, T]{src.Reuse(c.Held(held)), c}
		}
	}
	return out
}

type converted[U, T any] struct {
	src ListerWatcher[U]
	Conversion[U, T]
}

// options changes the options of a request.
func (c converted[U, T]) options(opts *metav1.ListOptions) error {
	if c.Options == nil {
		return nil
	}
	return c.Options(opts)
}

// List implements ListerWatcher.
func (c converted[U, T]) List(
	ctx context.Context, opts metav1.ListOptions, each func(Item[T]) error,
) (metav1.ListMeta, error) {
	if err := c.options(&opts); err != nil {
		return metav1.ListMeta{}, err
	}
	return c.src.List(ctx, opts, func(from Item[U]) error {
		item, err := c.Item(from)
		if err != nil {
			return err
		}
		return each(item)
	})
}

// Watch implements ListerWatcher.
func (c converted[U, T]) Watch(ctx context.Context, opts metav1.ListOptions) iter.Seq2[Event[T], error] {
	return func(yield func(Event[T], error) bool) {
		opts := opts // the loop may be run again
		if err := c.options(&opts); err != nil {
			yield(Event[T]{}, err)
			return
		}
		for from, err := range c.src.Watch(ctx, opts) {
			event := Event[T]{
				Type: from.Type, ResourceVersion: from.ResourceVersion, InitialEventsEnd: from.InitialEventsEnd,
			}
			if err == nil && from.Type != watch.Bookmark {
				event.Item, err = c.Item(from.Item)
			}
			if !yield(event, err) || err != nil {
				return
			}
		}
	}
}

// Own returns a source like src that decodes each object anew: the objects share no parts with each other,
// and none comes from a cache. The function of a [Map] may modify them. This costs the memory that shared
// parts save, and the comparison with cached objects during a relist. Own copies nothing: a client of your
// own, behind [FromClient], must not keep the objects that it returns.
//
//	source.Map(source.Own(src), func(w *v1.Widget) (*v1.Widget, error) {
//		w.SetManagedFields(nil)
//		return w, nil
//	})
func Own[T any](src Source[T]) Source[T] {
	return Convert(src, Conversion[T, T]{Item: func(item Item[T]) (Item[T], error) { return item, nil }})
}
