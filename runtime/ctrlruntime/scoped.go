// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"fmt"
	"iter"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// sourceOf returns a source of objects of the type of example.
func sourceOf(
	conn wire.Conn, s scope, example runtime.Object, opts ...wire.Option,
) source.ListerWatcher[metav1.Object] {
	object, ok := example.(metav1.Object)
	if !ok {
		return failed{fmt.Errorf("a %T has no metadata, so it cannot be cached", example)}
	}
	out := scoped{scope: s, ListerWatcher: wire.Source[metav1.Object](
		conn, s.resource, append(opts, wire.InNamespace(s.namespace), wire.TypeOf(object))...)}
	if _, ok := example.(*metav1.PartialObjectMetadata); ok {
		out.kind = example.GetObjectKind().GroupVersionKind()
	}
	return out
}

// scoped adds the selectors of a scope to requests.
type scoped struct {
	source.ListerWatcher[metav1.Object]
	scope
	kind schema.GroupVersionKind // of metadata, in which neither servers nor package wire leave it
}

func (s scoped) options(opts metav1.ListOptions) metav1.ListOptions {
	opts.LabelSelector, opts.FieldSelector = s.labels, strings.Trim(opts.FieldSelector+","+s.fields, ",")
	opts.AllowWatchBookmarks = opts.AllowWatchBookmarks && s.bookmarks
	return opts
}

// SupportsWatchList implements source.WatchLister. A WatchList ends with a bookmark.
func (s scoped) SupportsWatchList() bool { return s.bookmarks }

// Reusing implements source.Reuser.
func (s scoped) Reusing(held func(types.NamespacedName) (metav1.Object, bool)) source.ListerWatcher[metav1.Object] {
	s.ListerWatcher = source.Reusing(s.ListerWatcher, held)
	return s
}

func (s scoped) List(
	ctx context.Context, opts metav1.ListOptions, each func(source.Item[metav1.Object]) error,
) (metav1.ListMeta, error) {
	return s.ListerWatcher.List(ctx, s.options(opts), func(item source.Item[metav1.Object]) error {
		s.setKind(item)
		return each(item)
	})
}

func (s scoped) Watch(ctx context.Context, opts metav1.ListOptions) iter.Seq2[source.Event[metav1.Object], error] {
	return func(yield func(source.Event[metav1.Object], error) bool) {
		for event, err := range s.ListerWatcher.Watch(ctx, s.options(opts)) {
			s.setKind(event.Item)
			if !yield(event, err) {
				return
			}
		}
	}
}

// setKind sets the kind of metadata. An object of the cache, which has it, is not modified.
func (s scoped) setKind(item source.Item[metav1.Object]) {
	if m, ok := item.Object.(*metav1.PartialObjectMetadata); ok && m.Kind == "" {
		m.SetGroupVersionKind(s.kind)
	}
}

// failed is a source that cannot be read.
type failed struct{ err error }

func (f failed) List(
	context.Context, metav1.ListOptions, func(source.Item[metav1.Object]) error,
) (metav1.ListMeta, error) {
	return metav1.ListMeta{}, f.err
}

func (f failed) Watch(context.Context, metav1.ListOptions) iter.Seq2[source.Event[metav1.Object], error] {
	return func(yield func(source.Event[metav1.Object], error) bool) { yield(source.Event[metav1.Object]{}, f.err) }
}
