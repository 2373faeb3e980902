// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/internal/inflow"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// Results of the function of [Map].
var (
	// ErrDrop leaves the object out. A cache deletes it if it holds an earlier state.
	ErrDrop = errors.New("the object is left out")
	// ErrKeep ignores this state of the object. A cache keeps the state that it holds, if any, and
	// does not mark it stale.
	ErrKeep = errors.New("this state of the object is ignored")
)

// Map returns a source of the objects of src, converted to T. T needs only the accessors of a
// metav1.Object. For example, a test feeds a slim type from a fake client of the whole type.
//
// convert may return ErrDrop or ErrKeep instead of an object. Any other error, and a panic, count as
// an object that cannot be decoded. The result must have the namespace and name of its argument, and
// should have its UID and resourceVersion. convert must be pure and safe for concurrent use. It must
// not modify its argument, which may share parts with other objects; the result may share these
// parts, too.
//
// The final state of a deleted object is converted, too. If convert does not return an object, the
// deletion has none. A watch has no memory, so the receiver may get the deletion of a dropped object
// that it never saw.
//
// Map implements [WatchLister], and [Multi] if src does. It passes [Reuser] on: an unchanged result
// is not in memory twice. Wrap Map around shard.Source, not the reverse, if T has no UID.
func Map[U, T metav1.Object](src ListerWatcher[U], convert func(U) (T, error)) ListerWatcher[T] {
	m := mapped[U, T]{src: src, convert: convert}
	if parts, ok := src.(Multi[U]); ok {
		return mappedMulti[U, T]{mapped: m, sources: parts}
	}
	return m
}

type mapped[U, T metav1.Object] struct {
	src     ListerWatcher[U]
	convert func(U) (T, error)
}

// item converts an item. Without a result, its error wraps ErrDrop or ErrKeep, or says why.
func (m mapped[U, T]) item(item Item[U]) Item[T] {
	if item.Err != nil {
		return Item[T]{Key: item.Key, Err: item.Err}
	}
	key, err := accessor.Key(item.Object)
	if err != nil {
		return Item[T]{Err: err}
	}
	obj, err := m.call(item.Object)
	if err == nil {
		var became types.NamespacedName
		if became, err = accessor.Key(obj); err == nil && became != key {
			err = fmt.Errorf("the conversion of Map returned %s; it must keep namespace and name", became)
		}
	}
	switch {
	case err == nil:
		return Item[T]{Object: obj}
	case !errors.Is(err, ErrDrop) && !errors.Is(err, ErrKeep):
		err = fmt.Errorf("%s: %w", key, err)
	}
	at := key // a copy, because &key would allocate for every object
	return Item[T]{Key: &at, Err: err}
}

// call calls convert. A panic becomes an error.
func (m mapped[U, T]) call(obj U) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the conversion of Map panicked: %v", p)
		}
	}()
	return m.convert(obj)
}

// List implements ListerWatcher.
func (m mapped[U, T]) List(
	ctx context.Context, opts metav1.ListOptions, each func(Item[T]) error,
) (metav1.ListMeta, error) {
	leftOut := inflow.LeftOut(ctx)
	return m.src.List(ctx, opts, func(from Item[U]) error {
		item := m.item(from)
		if errors.Is(item.Err, ErrDrop) {
			leftOut(*item.Key)
			return nil
		}
		return each(item)
	})
}

// Watch implements ListerWatcher.
func (m mapped[U, T]) Watch(ctx context.Context, opts metav1.ListOptions) iter.Seq2[Event[T], error] {
	leftOut := inflow.LeftOut(ctx)
	return func(yield func(Event[T], error) bool) {
		for from, err := range m.src.Watch(ctx, opts) {
			event := Event[T]{
				Type: from.Type, ResourceVersion: from.ResourceVersion, InitialEventsEnd: from.InitialEventsEnd,
			}
			if err == nil && from.Type != watch.Bookmark {
				event.Item = m.item(from.Item)
				if errors.Is(event.Err, ErrDrop) {
					event.Type = watch.Deleted
					leftOut(*event.Key)
				}
			}
			if !yield(event, err) {
				return
			}
		}
	}
}

// SupportsWatchList implements WatchLister.
func (m mapped[U, T]) SupportsWatchList() bool { return SupportsWatchList(m.src) }

// Reusing implements Reuser. The source gets the cached objects if it has objects of their type.
// Otherwise it only shares parts, and the reflector compares the results.
func (m mapped[U, T]) Reusing(held func(types.NamespacedName) (T, bool)) ListerWatcher[T] {
	cached, ok := any(held).(func(types.NamespacedName) (U, bool))
	if !ok {
		cached = func(types.NamespacedName) (none U, ok bool) { return none, false }
	}
	m.src = Reusing(m.src, cached)
	return m
}

// mappedMulti is a mapped source that consists of several.
type mappedMulti[U, T metav1.Object] struct {
	mapped[U, T]
	sources Multi[U]
}

// Sources implements Multi.
func (m mappedMulti[U, T]) Sources() map[string]ListerWatcher[T] {
	sources := make(map[string]ListerWatcher[T])
	for name, src := range m.sources.Sources() {
		sources[name] = Map(src, m.convert)
	}
	return sources
}

// Handover implements Multi.
func (m mappedMulti[U, T]) Handover() bool { return m.sources.Handover() }

// Follow implements Multi.
func (m mappedMulti[U, T]) Follow(changed func(context.Context) error) (stop func()) {
	return m.sources.Follow(changed)
}
