// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// Stats is what there is to know of an informer, as a debug page would show it.
type Stats struct {
	Resource string // "widgets.example.com/v1"
	Name     string
	Synced   bool
	Objects  int // in the store
	Sources  []SourceStats
	Handlers []HandlerStats // and consumers of Changes, in the order in which they came
	// IndexErrors counts the errors of index functions, by index.
	IndexErrors map[string]int64
}

// SourceStats is what there is to know of one source of an informer that runs, since it
// was last begun to be read.
type SourceStats struct {
	Name string
	reflector.Stats
}

// Stats returns what there is to know. It may be called at any time by any goroutine,
// and takes a time in proportion to the number of sources and handlers.
func (i *Informer[T]) Stats() Stats {
	s := Stats{
		Resource: describe(i.resource, ""), Name: i.opts.name, Synced: i.HasSynced(),
		Objects: i.store.Reader().Len(), IndexErrors: i.insight.indexErrors(),
	}
	for _, o := range i.insight.observed() {
		s.Sources = append(s.Sources, SourceStats{o.name, o.stats()})
	}
	i.mu.Lock()
	listeners := append(slices.Clone(i.listeners), i.joining...)
	i.mu.Unlock()
	for _, l := range listeners {
		s.Handlers = append(s.Handlers, l.stats())
	}
	return s
}
