// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"slices"
	"strings"
	"sync"
)

// Source is what has metrics: an informer.
type Source interface {
	// Collect calls emit for each value. It must not block, may be called at any time
	// by any goroutine, and must not call the set that it was added to.
	Collect(emit func(Sample))
}

// Set is a set of sources. The zero value is empty and ready to use. Its methods are safe
// for concurrent use.
type Set struct {
	mu      sync.Mutex
	sources map[*entry]struct{} // nil: none
}

type entry struct{ source Source }

// NewSet returns an empty set.
func NewSet() *Set { return &Set{} }

// Add has src collected until remove is called. What is added twice is there twice.
func (s *Set) Add(src Source) (remove func()) {
	e := &entry{src}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sources == nil {
		s.sources = make(map[*entry]struct{})
	}
	s.sources[e] = struct{}{}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.sources, e)
	}
}

// Collect returns the values of all sources as they are now, one for each metric and
// combination of labels, ordered by the metric's name, then by the labels. It takes a
// time in proportion to their number; sources are read under no lock of the set.
func (s *Set) Collect() []Sample {
	s.mu.Lock()
	sources := make([]Source, 0, len(s.sources))
	for e := range s.sources {
		sources = append(sources, e.source)
	}
	s.mu.Unlock()

	var all []Sample
	for _, src := range sources {
		src.Collect(func(one Sample) { all = append(all, one) })
	}
	slices.SortFunc(all, compare)
	merged := all[:0]
	for _, one := range all {
		if n := len(merged); n > 0 && compare(merged[n-1], one) == 0 {
			merged[n-1].merge(one)
			continue
		}
		merged = append(merged, one)
	}
	return merged
}

func compare(a, b Sample) int {
	if by := strings.Compare(a.Metric.Name, b.Metric.Name); by != 0 {
		return by
	}
	return slices.Compare(a.Values, b.Values)
}
