// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Label is a value of a label index.
type Label struct{ Key, Value string }

// Labels is the handle of an index over all labels of all objects. With it in a
// store, [Matching] answers label selectors from the index.
//
// Its values are in order, so that all values of one key are found together:
// there is no second posting list for each key.
type Labels[K comparable, T metav1.Object] struct{ Index[K, T, Label] }

// AddLabels has s keep an index of its objects' labels. A store has one at most, which
// is returned if it is there.
func AddLabels[K comparable, T metav1.Object](s *Store[K, T]) Labels[K, T] {
	x := addIndex(s, &index[K, T, Label]{
		store: s,
		name:  "Labels",
		order: func(a, b Label) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value)) },
		fn: func(dst []Label, obj T) []Label {
			for k, v := range obj.GetLabels() {
				dst = append(dst, Label{k, v})
			}
			return dst
		},
		labels: true,
		once:   true,
	})
	return Labels[K, T]{Index[K, T, Label]{x}}
}

// Of yields the objects whose label key has the value.
func (ix Labels[K, T]) Of(r Reader[K, T], key, value string) iter.Seq[T] {
	return ix.Index.Of(r, Label{key, value})
}

// Count returns of how many objects the label key has the value.
func (ix Labels[K, T]) Count(r Reader[K, T], key, value string) int {
	return ix.Index.Count(r, Label{key, value})
}

// ValuesOf yields the values that the label key has, in order, and how many
// objects have each.
func (ix Labels[K, T]) ValuesOf(r Reader[K, T], key string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		if ix.x == nil || r.s == nil {
			return
		}
		b := ix.x.bucketsOf(r.s, r.frozen())
		b.Tree().Ascend(ix.x.order, ofKey(key).bounds, func(e *posting.Bucket[Label]) bool {
			return yield(e.Value.Value, e.Posting.Len())
		})
	}
}

// Has asks for the objects that have the label key, whatever its value.
func (ix Labels[K, T]) Has(key string) Query[K, T] {
	if ix.x == nil {
		return Query[K, T]{}
	}
	return Query[K, T]{&spanQuery[K, T, Label]{ix.x, ofKey(key)}}
}

// ofKey is the span of all values of a label key: no string is between a key
// and that key with a zero byte.
func ofKey(key string) Span[Label] {
	return Between(Label{Key: key}, Label{Key: key + "\x00"})
}
