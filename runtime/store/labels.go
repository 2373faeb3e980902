// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/query"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// Label is an index value of a label index.
type Label struct{ Key, Value string }

// String returns the label as in a selector.
func (l Label) String() string { return l.Key + "=" + l.Value }

// Labels is a handle of an index of all labels. If a store has one, [Matching] uses it for label
// selectors. The index is ordered, so that all values of a label key are adjacent.
type Labels[K comparable, T metav1.Object] struct{ Index[K, T, Label] }

// AddLabels adds an index of labels to s. A store has at most one: if it exists, AddLabels
// returns it.
func AddLabels[K comparable, T metav1.Object](s *Store[K, T]) Labels[K, T] {
	return Extension(s, func() Labels[K, T] {
		x := addIndex(s, &index.Index[T, Label]{
			Name: "Labels",
			Order: func(a, b Label) int {
				return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value))
			},
			Fn: func(dst []Label, obj T) []Label {
				for k, v := range obj.GetLabels() {
					dst = append(dst, Label{k, v})
				}
				return dst
			},
		})
		s.optionalLabelIndex.Store(x)
		return Labels[K, T]{Index[K, T, Label]{x}}
	})
}

// Get yields the objects with the label key=value.
func (ix Labels[K, T]) Get(r Reader[K, T], key, value string) iter.Seq[T] {
	return ix.Index.Get(r, Label{key, value})
}

// Count returns the number of objects with the label key=value.
func (ix Labels[K, T]) Count(r Reader[K, T], key, value string) int {
	return ix.Index.Count(r, Label{key, value})
}

// Has returns a query for the objects that have the label key, with any value.
func (ix Labels[K, T]) Has(key string) Query[K, T] {
	if ix.index == nil {
		return Query[K, T]{}
	}
	return Query[K, T]{&rangeQuery[K, T, Label]{ix.Index, labelKeyRange(key)}}
}

// labelKeyRange returns the range of all values of a label key. No string lies between a key and that
// key with a zero byte appended.
func labelKeyRange(key string) Range[Label] {
	return Between(Label{Key: key}, Label{Key: key + "\x00"})
}

// Matching returns a query for the objects whose labels match selector. A selector that is nil
// or has no requirements matches all.
//
// With a label index ([AddLabels]), the query visits the objects of the requirement that selects
// the fewest, and looks each of them up in the index for the other requirements. If all
// requirements are negative (notin, !=, !key), it visits every object that they do not exclude.
// Without a label index, it calls selector for every object.
func Matching[K comparable, T metav1.Object](selector labels.Selector) Query[K, T] {
	if selector == nil || selector.Empty() {
		return AllOf[K, T]()
	}
	return Query[K, T]{&selectorQuery[K, T]{selector: selector}}
}

type selectorQuery[K comparable, T metav1.Object] struct{ selector labels.Selector }

func (q *selectorQuery[K, T]) Watch(w *notify.List, sig *notify.Signal) func() { return w.Every(sig) }

func (q *selectorQuery[K, T]) matchingSlots(r Reader[K, T]) query.Set {
	requirements, selectable := q.selector.Requirements()
	if !selectable {
		return query.None
	}
	v, x := r.frozenVersion, r.store.optionalLabelIndex.Load()
	if x == nil || x.ID >= v.indexes.Len() {
		return &selectorScan[K, T]{q.selector, v}
	}
	var required, excluded []query.Union
	for _, requirement := range requirements {
		postings, known := unnegatedLabelPostings(x.In(&v.indexes), requirement)
		switch requirement.Operator() {
		case selection.NotEquals, selection.NotIn, selection.DoesNotExist:
			excluded = append(excluded, postings)
			continue
		}
		switch {
		case !known:
			return &selectorScan[K, T]{q.selector, v}
		case len(postings) == 0:
			return query.None
		}
		required = append(required, postings)
	}
	if len(required) == 0 {
		return slotsWithout(v, excluded)
	}
	return intersectPostings(required, excluded)
}

// unnegatedLabelPostings returns the postings of the labels that r names or, if it is negative, excludes. known is false
// if r has an operator of a later apimachinery.
func unnegatedLabelPostings(b *index.Buckets[Label], r labels.Requirement) (postings query.Union, known bool) {
	var accept func(value string) bool // nil: every value of the key
	switch r.Operator() {
	case selection.Equals, selection.DoubleEquals, selection.In, selection.NotEquals, selection.NotIn:
		for value := range r.Values() {
			if e := b.Find(0, Label{r.Key(), value}); e != nil {
				postings = append(postings, &e.Posting)
			}
		}
		return postings, true
	case selection.Exists, selection.DoesNotExist:
	case selection.GreaterThan, selection.LessThan:
		accept = func(value string) bool { return r.Matches(labels.Set{r.Key(): value}) }
	default:
		return nil, false
	}
	b.Walk(labelKeyRange(r.Key()).bounds, false, func(e *posting.Bucket[Label]) bool {
		if accept == nil || accept(e.Value.Value) {
			postings = append(postings, &e.Posting)
		}
		return true
	})
	return postings, true
}

// intersectPostings returns the slots that are in all of required and in none of excluded.
func intersectPostings(required, excluded []query.Union) query.Set {
	slices.SortFunc(required, func(a, b query.Union) int { return a.AtMost() - b.AtMost() })
	sets := make(query.Intersection, len(required))
	for i, u := range required {
		if sets[i] = query.Disjoint(u); len(u) == 1 {
			sets[i] = u[0]
		}
	}
	var answer query.Set = sets
	if len(sets) == 1 {
		answer = sets[0]
	}
	for _, u := range excluded {
		if len(u) > 0 {
			answer = &query.Difference{From: answer, Minus: u}
		}
	}
	return answer
}

// selectorScan has the slots of objects that a selector matches. It calls the selector.
type selectorScan[K comparable, T metav1.Object] struct {
	selector labels.Selector
	version  *version[K, T]
}

func (s *selectorScan[K, T]) AtMost() int { return s.version.Len() }
func (s *selectorScan[K, T]) Has(slot uint32) bool {
	return s.selector.Matches(labels.Set(s.version.At(slot).GetLabels()))
}
func (s *selectorScan[K, T]) Each(yield func(uint32) bool) bool {
	for first, ch := range s.version.InUse {
		var sets [table.ChunkSize]labels.Set // read at once, so that cache misses overlap
		for live := ch.Live; live != 0; live &= live - 1 {
			i := bits.TrailingZeros32(live)
			sets[i] = ch.Objs[i].GetLabels()
		}
		for live := ch.Live; live != 0; live &= live - 1 {
			i := bits.TrailingZeros32(live)
			if s.selector.Matches(sets[i]) && !yield(first|uint32(i)) { //nolint:gosec // of 32
				return false
			}
		}
	}
	return true
}

// slotsWithout returns all slots that are not in excluded. It masks the slots of each chunk: to look every object up in
// excluded takes 2.6 times as long, for "app notin (x,y)" in a store of 1,000 objects.
func slotsWithout[K comparable, T any](v *version[K, T], excluded []query.Union) query.Set {
	masks := make([]uint32, v.Chunks())
	for _, u := range excluded {
		for _, p := range u {
			p.Each(func(slot uint32) bool {
				masks[slot>>table.ChunkBits] |= 1 << (slot & (table.ChunkSize - 1))
				return true
			})
		}
	}
	return query.Live[K, T]{Slots: &v.Vector, N: v.Len(), Without: masks}
}
