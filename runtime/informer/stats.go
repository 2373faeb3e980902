// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// Stats are statistics of an informer, for example for a debug page.
type Stats struct {
	Resource string // "widgets.example.com/v1"
	Name     string
	Synced   bool
	Objects  int // in the store
	Sources  []SourceStats
	Handlers []HandlerStats // and loops over Changes, in the order in which they were added
	// IndexErrors counts the errors of index functions, by index.
	IndexErrors map[string]int64
}

// SourceStats are statistics of one source since the current run began to read it.
type SourceStats struct {
	Name string
	reflector.Stats
}

// Stats returns statistics. Its cost is proportional to the number of sources and handlers.
func (i *Informer[T]) Stats() Stats {
	s := Stats{
		Resource: describe(i.resource, ""), Name: i.opts.name, Synced: i.HasSynced(),
		Objects: i.store.Reader().Len(), IndexErrors: i.insight.indexErrors(),
	}
	for _, o := range i.insight.observed() {
		s.Sources = append(s.Sources, SourceStats{o.name, o.Stats()})
	}
	i.mu.Lock()
	listeners := append(slices.Clone(i.listeners), i.joining...)
	i.mu.Unlock()
	for _, l := range listeners {
		s.Handlers = append(s.Handlers, l.stats())
	}
	return s
}
