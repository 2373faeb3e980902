// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package layer

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// Scope is what an informer reads.
type Scope struct {
	Resource       schema.GroupVersionResource
	Namespace      string // "" for all, and for cluster-scoped resources
	Labels, Fields string // selectors
	Bookmarks      bool
}

// Source returns a source of the objects of s, of the type of example.
func (s Scope) Source(conn wire.Conn, example metav1.Object, opts ...wire.Option) source.Source[metav1.Object] {
	src := wire.Source[metav1.Object](conn, s.Resource, append(opts, wire.InNamespace(s.Namespace), wire.TypeOf(example))...)
	var kind schema.GroupVersionKind // of metadata, in which neither servers nor package wire leave it
	if m, ok := example.(*metav1.PartialObjectMetadata); ok {
		kind = m.GroupVersionKind()
	}
	src = source.Convert(src, source.Conversion[metav1.Object, metav1.Object]{
		Options: s.addTo,
		Object: func(_ types.NamespacedName, obj metav1.Object) (metav1.Object, error) {
			// An object of the cache, which has the kind, is not modified.
			if m, ok := obj.(*metav1.PartialObjectMetadata); ok && m.Kind == "" {
				m.SetGroupVersionKind(kind)
			}
			return obj, nil
		},
		Held: func(held heldFunc) heldFunc { return held },
	})
	src.NoWatchList = !s.Bookmarks // a WatchList ends with a bookmark
	return src
}

type heldFunc = func(types.NamespacedName) (metav1.Object, bool)

// addTo adds the selectors of the scope to a request.
func (s Scope) addTo(opts *metav1.ListOptions) error {
	opts.LabelSelector, opts.FieldSelector = s.Labels, strings.Trim(opts.FieldSelector+","+s.Fields, ",")
	opts.AllowWatchBookmarks = opts.AllowWatchBookmarks && s.Bookmarks
	return nil
}
