// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// Matching asks for the objects whose labels a selector matches; a nil one, like
// one without requirements, matches all.
//
// In a store with a label index ([AddLabels]) each requirement that an object
// must have a label to meet (equals, in, exists, greater, less) is a union of
// postings. The smallest of these is visited, and what it has is looked up in
// the others and in the postings that a requirement excludes. If all
// requirements exclude, everything is visited but what they do. Without the
// index every object is matched.
func Matching[K comparable, T metav1.Object](selector labels.Selector) Query[K, T] {
	if selector == nil || selector.Empty() {
		return AllOf[K, T]()
	}
	return Query[K, T]{&selectorQuery[K, T]{selector: selector}}
}

type selectorQuery[K comparable, T metav1.Object] struct{ selector labels.Selector }

func (q *selectorQuery[K, T]) watch(*watchList, *signal) (all bool) { return true }
func (q *selectorQuery[K, T]) unwatch(*watchList, *signal)          {}

func (q *selectorQuery[K, T]) in(s *Store[K, T], v *version[K, T]) set {
	requirements, selectable := q.selector.Requirements()
	if !selectable {
		return noSlots
	}
	if v.labels == 0 {
		return &matched[K, T]{q.selector, v}
	}
	b := v.indexes[v.labels-1].(*buckets[Label])
	order := s.labels.order
	var must, mustNot []union
	for _, r := range requirements {
		var postings union
		value := func(value string) {
			if e := b.tree.find(order, Label{r.Key(), value}); e != nil {
				postings = append(postings, &e.posting)
			}
		}
		key := func(accept func(value string) bool) {
			b.tree.ascend(order, ofKey(r.Key()), func(e *bucket[Label]) bool {
				if accept(e.value.Value) {
					postings = append(postings, &e.posting)
				}
				return true
			})
		}
		switch r.Operator() {
		case selection.Equals, selection.DoubleEquals, selection.In, selection.NotEquals, selection.NotIn:
			for v := range r.Values() {
				value(v)
			}
		case selection.Exists, selection.DoesNotExist:
			key(func(string) bool { return true })
		case selection.GreaterThan, selection.LessThan:
			key(func(value string) bool { return r.Matches(labels.Set{r.Key(): value}) })
		default:
			return &matched[K, T]{q.selector, v} // an operator of another apimachinery
		}
		switch r.Operator() {
		case selection.NotEquals, selection.NotIn, selection.DoesNotExist:
			mustNot = append(mustNot, postings)
		default:
			if len(postings) == 0 {
				return noSlots
			}
			must = append(must, postings)
		}
	}
	if len(must) == 0 {
		return remaining(v, mustNot)
	}
	return chosen(must, mustNot)
}

// chosen is what all of must have and none of mustNot.
func chosen(must, mustNot []union) set {
	slices.SortFunc(must, func(a, b union) int { return a.atMost() - b.atMost() })
	sets := make(intersection, len(must))
	for i, u := range must {
		if sets[i] = disjoint(u); len(u) == 1 {
			sets[i] = u[0]
		}
	}
	var answer set = sets
	if len(sets) == 1 {
		answer = sets[0]
	}
	for _, u := range mustNot {
		if len(u) > 0 {
			answer = &difference{answer, u}
		}
	}
	return answer
}

// disjoint is a union of sets that have nothing in common, as the postings of
// one label key are: an object has one value for it.
type disjoint []set

func (s disjoint) atMost() int          { return union(s).atMost() }
func (s disjoint) has(slot uint32) bool { return union(s).has(slot) }
func (s disjoint) each(yield func(uint32) bool) bool {
	for _, one := range s {
		if !one.each(yield) {
			return false
		}
	}
	return true
}

// matched has the slots whose object a selector matches, found by asking.
type matched[K comparable, T metav1.Object] struct {
	selector labels.Selector
	v        *version[K, T]
}

func (s *matched[K, T]) atMost() int { return s.v.keys.n }
func (s *matched[K, T]) has(slot uint32) bool {
	return s.selector.Matches(labels.Set(s.v.slots.at(slot).GetLabels()))
}
func (s *matched[K, T]) each(yield func(uint32) bool) bool {
	return liveSlots[K, T]{s.v, nil}.each(func(slot uint32) bool { return !s.has(slot) || yield(slot) })
}

// remaining is everything but what postings have: a mask of each chunk's slots.
func remaining[K comparable, T any](v *version[K, T], mustNot []union) set {
	without := make([]uint64, len(v.slots.dir)<<segBits)
	for _, u := range mustNot {
		for _, one := range u {
			one.each(func(slot uint32) bool {
				without[slot>>chunkBits] |= 1 << (slot & (chunkSize - 1))
				return true
			})
		}
	}
	return liveSlots[K, T]{v, without}
}
