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

// Set holds the ranges of one replica: one range, or several while the range changes. Sources
// that are sharded the same way share a Set.
type Set = source.Set[Range]

// NewSet returns a set of ranges.
func NewSet(ranges ...Range) *Set { return source.NewHandover(ranges...) }

// Source returns a source of the objects of src that belong to one of shards. It lists and
// watches each range separately. If src implements source.Multi, for example for several
// namespaces, it does so for each range of each part. Objects of a removed part are kept until
// the added parts have synced.
func Source[T metav1.Object](src source.ListerWatcher[T], shards *Set) source.ListerWatcher[T] {
	if multi, ok := src.(source.Multi[T]); ok {
		return divided[T]{ListerWatcher: src, multi: multi, shards: shards}
	}
	return source.ForEach(shards, func(r Range) source.ListerWatcher[T] { return Only(src, r) })
}

// divided has a source for each range of each source of a Multi.
type divided[T metav1.Object] struct {
	source.ListerWatcher[T] // of multi; cannot be listed itself
	multi                   source.Multi[T]
	shards                  *Set
}

// Sources implements source.Multi.
func (d divided[T]) Sources() map[string]source.ListerWatcher[T] {
	sources := make(map[string]source.ListerWatcher[T])
	for name, src := range d.multi.Sources() {
		for _, r := range d.shards.Parts() {
			sources[name+" "+r.String()] = Only(src, r)
		}
	}
	return sources
}

// Handover implements source.Multi.
func (d divided[T]) Handover() bool { return true }

// Follow implements source.Multi.
func (d divided[T]) Follow(changed func(context.Context) error) (stop func()) {
	stopMulti, stopShards := d.multi.Follow(changed), d.shards.Follow(changed)
	return func() { stopMulti(); stopShards() }
}

// Only returns a source of the objects of src that belong to r. An object that cannot be decoded
// counts as belonging to every range until the next list.
func Only[T metav1.Object](src source.ListerWatcher[T], r Range) source.ListerWatcher[T] {
	return only[T]{src: src, shard: r, selector: r.Selector()}
}

type only[T metav1.Object] struct {
	src      source.ListerWatcher[T]
	shard    Range
	selector string
}

// leavesOut calls notify and returns true if the item is an object of another range.
func (o only[T]) leavesOut(item source.Item[T], notify func(types.NamespacedName)) bool {
	if item.Err != nil {
		return false
	}
	key, err := accessor.Key(item.Object)
	if err != nil || o.shard.Contains(item.Object) { // the reflector reports the error
		return false
	}
	notify(key)
	return true
}

// List implements source.ListerWatcher.
func (o only[T]) List(
	ctx context.Context, opts metav1.ListOptions, each func(source.Item[T]) error,
) (metav1.ListMeta, error) {
	if err := sharding.SetSelector(&opts, o.selector); err != nil {
		return metav1.ListMeta{}, err
	}
	leftOut := inflow.LeftOut(ctx)
	return o.src.List(ctx, opts, func(item source.Item[T]) error {
		if o.leavesOut(item, leftOut) {
			return nil
		}
		return each(item)
	})
}

// Watch implements source.ListerWatcher. An event of another range becomes a bookmark, which
// says how far the source has been read.
func (o only[T]) Watch(ctx context.Context, opts metav1.ListOptions) iter.Seq2[source.Event[T], error] {
	if err := sharding.SetSelector(&opts, o.selector); err != nil {
		return func(yield func(source.Event[T], error) bool) { yield(source.Event[T]{}, err) }
	}
	leftOut := inflow.LeftOut(ctx)
	// Initial events are not ordered by version.
	initial := opts.SendInitialEvents != nil && *opts.SendInitialEvents
	ordered := opts.ResourceVersion != "" && opts.ResourceVersion != "0" && !initial
	return func(yield func(source.Event[T], error) bool) {
		for event, err := range o.src.Watch(ctx, opts) {
			if err == nil && event.Type != watch.Bookmark && o.leavesOut(event.Item, leftOut) {
				if !ordered || event.ResourceVersion == "" {
					continue
				}
				event = source.Event[T]{Type: watch.Bookmark, ResourceVersion: event.ResourceVersion}
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
func (o only[T]) Reusing(held func(types.NamespacedName) (T, bool)) source.ListerWatcher[T] {
	o.src = source.Reusing(o.src, held)
	return o
}
