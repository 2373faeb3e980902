// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"slices"
	"strings"
	"sync"
)

// Source has metrics. Informers implement it.
type Source interface {
	// Collect calls emit with each sample. Any goroutine may call it at any time. It must
	// not block and must not call the set that it was added to.
	Collect(emit func(Sample))
}

// Set is a set of sources. The zero value is an empty set. Its methods are safe for
// concurrent use.
type Set struct {
	mu      sync.Mutex
	sources map[*entry]struct{} // nil: none
}

type entry struct{ source Source }

// NewSet returns an empty set.
func NewSet() *Set { return &Set{} }

// Add adds src until remove is called. A source that is added twice is collected twice.
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

// Collect returns the current samples of all sources, one for each metric and combination of
// labels, ordered by metric name and label values. It holds no lock while it reads a source.
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
