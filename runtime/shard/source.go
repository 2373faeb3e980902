// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package shard

import (
	"context"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/internal/inflow"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sharding"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// Set is what a replica holds: one range, and more of them while it changes. It is
// shared by all sources that are divided alike.
type Set = source.Set[Range]

// NewSet returns a set of ranges.
func NewSet(ranges ...Range) *Set { return source.NewHandover(ranges...) }

// Source returns a source of what of src belongs to one of shards, each of which is
// listed and watched by itself. src may be made up of several, of namespaces for example:
// then each shard of each of them is, and what is in a namespace that is taken out is kept
// until those that came in are there.
func Source[T metav1.Object](src source.ListerWatcher[T], shards *Set) source.ListerWatcher[T] {
	if parts, ok := src.(source.Plural[T]); ok {
		return divided[T]{Plural: parts, shards: shards}
	}
	return source.Over(shards, func(r Range) source.ListerWatcher[T] { return Only(src, r) })
}

// divided is each part of a source, shard by shard.
type divided[T metav1.Object] struct {
	source.Plural[T]
	shards *Set
}

// Parts implements source.Plural.
func (d divided[T]) Parts() map[string]source.ListerWatcher[T] {
	parts := make(map[string]source.ListerWatcher[T])
	for name, src := range d.Plural.Parts() {
		for _, r := range d.shards.Parts() {
			parts[name+" "+r.String()] = Only(src, r)
		}
	}
	return parts
}

// Handover implements source.Plural.
func (d divided[T]) Handover() bool { return true }

// Follow implements source.Plural.
func (d divided[T]) Follow(changed func(context.Context) error) (stop func()) {
	stopParts, stopShards := d.Plural.Follow(changed), d.shards.Follow(changed)
	return func() { stopParts(); stopShards() }
}

// Only returns a source of the objects of src that belong to r. It keeps state between a
// list and the watch that follows, so it serves one informer, reflector or watch at a time;
// call Only again for another. [Source] does so by itself.
func Only[T metav1.Object](src source.ListerWatcher[T], r Range) source.ListerWatcher[T] {
	return only[T]{src: src, shard: r, selector: r.Selector(), unsure: &unsure{}}
}

type only[T metav1.Object] struct {
	src      source.ListerWatcher[T]
	shard    Range
	selector string
	unsure   *unsure
}

// has reports whether an item is to be handed on, and under which key it is known. One
// that cannot be decoded is to be, as far as anybody can say; what it is about may not be
// here, and then it means nothing.
func (o only[T]) has(item source.Item[T]) (key types.NamespacedName, has bool) {
	if item.Err == nil {
		key, err := accessor.Key(item.Object)
		return key, err != nil || o.shard.Contains(item.Object) // it is for the reader to say what is wrong
	}
	if item.Key != nil {
		key = *item.Key
		o.unsure.note(key)
	}
	return key, true
}

// List implements source.ListerWatcher.
func (o only[T]) List(ctx context.Context, opts metav1.ListOptions, each func(source.Item[T]) error) (metav1.ListMeta, error) {
	if err := sharding.SetSelector(&opts, o.selector); err != nil {
		return metav1.ListMeta{}, err
	}
	leftOut := inflow.From(ctx).LeftOut
	if opts.Continue == "" && opts.Limit != 1 { // that is merely a question
		o.unsure.forget()
	}
	meta, err := o.src.List(ctx, opts, func(item source.Item[T]) error {
		if key, has := o.has(item); !has {
			leftOut(key)
			return nil
		}
		return each(item)
	})
	if !sharding.HasInfo(meta) {
		meta.RemainingItemCount = nil // it is that of all shards
	}
	return meta, err
}

// Watch implements source.ListerWatcher. An event about an object that is left out
// becomes a bookmark, so that it is known how far the source has been read; or, if what
// was handed on about its key could not be decoded, a deletion.
func (o only[T]) Watch(ctx context.Context, opts metav1.ListOptions) iter.Seq2[source.Event[T], error] {
	if err := sharding.SetSelector(&opts, o.selector); err != nil {
		return func(yield func(source.Event[T], error) bool) { yield(source.Event[T]{}, err) }
	}
	leftOut := inflow.From(ctx).LeftOut
	// What exists, if it is sent at first, comes in no order.
	ordered := opts.ResourceVersion != "" && opts.ResourceVersion != "0" && (opts.SendInitialEvents == nil || !*opts.SendInitialEvents)
	return func(yield func(source.Event[T], error) bool) {
		if !ordered {
			o.unsure.forget()
		}
		for event, err := range o.src.Watch(ctx, opts) {
			if err == nil && event.Type != watch.Bookmark {
				switch key, has := o.has(event.Item); {
				case has:
					if event.Type == watch.Deleted {
						o.unsure.settle(key)
					}
				case o.unsure.settle(key):
					event.Type = watch.Deleted
				default:
					leftOut(key)
					if !ordered || event.ResourceVersion == "" {
						continue
					}
					event = source.Event[T]{Type: watch.Bookmark, ResourceVersion: event.ResourceVersion}
				}
			}
			ordered = ordered || event.InitialEventsEnd
			if !yield(event, err) {
				return
			}
		}
	}
}

// SupportsWatchList implements source.WatchLister.
func (o only[T]) SupportsWatchList() bool { return source.SupportsWatchList(o.src) }

// Reusing implements source.Reuser.
func (o only[T]) Reusing(held source.Held[T]) source.ListerWatcher[T] {
	o.src = source.Reusing(o.src, held)
	return o
}
