// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package shard

import (
	"context"

	"github.com/indexer-gen/indexer-gen/runtime/internal/sharding"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Set holds the ranges of one replica: one range, or several while the range changes. Sources
// that are sharded the same way share a Set.
type Set = source.Set[Range]

// NewSet returns a set of ranges.
func NewSet(ranges ...Range) *Set { return source.NewHandover(ranges...) }

// Source returns a source of the objects of src that belong to one of shards. It lists and
// watches each range separately. If src has parts, for example for several namespaces, it does so
// for each range of each part. Objects of a removed part are kept until the added parts have synced.
func Source[T metav1.Object](src source.Source[T], shards *Set) source.Source[T] {
	parts := src.Parts()
	if parts == nil {
		return source.ForEach(shards, func(r Range) source.Source[T] { return Only(src, r) })
	}
	return source.OfParts(source.Parts[T]{
		Sources: func() map[string]source.Source[T] {
			sources := make(map[string]source.Source[T])
			for name, part := range parts.Sources() {
				for _, r := range shards.Parts() {
					sources[name+" "+r.String()] = Only(part, r)
				}
			}
			return sources
		},
		Handover: true,
		Follow: func(changed func(context.Context) error) (stop func()) {
			stopParts, stopShards := parts.Follow(changed), shards.Follow(changed)
			return func() { stopParts(); stopShards() }
		},
	})
}

// Only returns a source of the objects of src that belong to r. An object that cannot be decoded
// counts as belonging to every range until the next list.
func Only[T metav1.Object](src source.Source[T], r Range) source.Source[T] {
	selector := r.Selector()
	return source.Convert(src, source.Conversion[T, T]{
		Options: func(opts *metav1.ListOptions) error { return sharding.SetSelector(opts, selector) },
		Object: func(_ types.NamespacedName, obj T) (T, error) {
			if !r.Contains(obj) {
				return obj, source.ErrDrop
			}
			return obj, nil
		},
		Held: func(held func(types.NamespacedName) (T, bool)) func(types.NamespacedName) (T, bool) {
			return held
		},
	})
}
