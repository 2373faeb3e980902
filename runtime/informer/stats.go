// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"maps"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Stats are statistics of an informer, for example for a debug page.
type Stats struct {
	Resource string // "widgets.example.com/v1"
	Name     string
	Synced   bool
	Present  bool // see Informer.Present
	Objects  int  // in the store
	Sources  []SourceStats
	Handlers []HandlerStats // in the order in which they were added
	// IndexErrors counts the errors of index functions, by index.
	IndexErrors map[string]int64
	// Contents reads the store of the informer.
	Contents store.Contents
}

// SourceStats are statistics of the source or one of its parts, such as a namespace, since the current run
// began to read it. The name is that of the part.
type SourceStats struct {
	Name string
	reflector.Stats
}

// HandlerStats are statistics of one handler.
type HandlerStats = metrics.Handler

// Stats returns statistics. Its cost is proportional to the number of parts and handlers.
func (i *Informer[T]) Stats() Stats {
	s := Stats{
		Resource: health.Informer(i.resource, "", ""), Name: i.opts.name, Synced: i.HasSynced(),
		Objects: i.store.Reader().Len(), Contents: i.store.Reader(),
	}
	for _, f := range i.feeds() {
		s.Sources = append(s.Sources, SourceStats{f.name, f.reflector.Stats()})
	}
	i.mu.Lock()
	s.Present, s.IndexErrors = i.presenceConfirmed, maps.Clone(i.indexErrors)
	i.mu.Unlock()
	for _, l := range i.hub.Listeners() {
		s.Handlers = append(s.Handlers, l.Stats())
	}
	return s
}

// blockingHandlerState describes the handler that blocks the informer, "" if none does.
func (i *Informer[T]) blockingHandlerState() string {
	l := i.hub.Blocking()
	if l == nil {
		return ""
	}
	stats := l.Stats()
	return health.Blocked(l.Label(), stats.Calling, stats.Pending)
}

// shutdownBlockers describes the calls that keep the informer from ending.
func (i *Informer[T]) shutdownBlockers() (calls []string) {
	i.mu.Lock()
	running := i.running != nil
	i.mu.Unlock()
	if !running {
		return nil
	}
	name := "informer of " + health.Informer(i.resource, i.opts.name, "") + " has not ended: "
	for _, l := range i.hub.Calling() {
		if lasts := l.Stats().Calling; lasts > 0 {
			calls = append(calls, name+"handler "+l.Label()+" has been "+health.Call(lasts, 0))
		}
	}
	if calls == nil {
		return []string{name + "no handler is being called; its source or error handler has yet to return"}
	}
	return calls
}
