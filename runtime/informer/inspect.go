// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"maps"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// Progress returns how far the informer has synced. It is cheap. The Phase of an informer that is
// not running is "not started" or "ended".
func (i *Informer[T]) Progress() Progress {
	idle := reflector.PhaseNone
	select {
	case <-i.ended():
		idle = reflector.PhaseEnded
	default:
	}
	var all []reflector.Progress
	for _, s := range i.Sources() {
		if f := s.reading(); f != nil {
			all = append(all, f.Reflector().Progress())
		}
	}
	p := health.Overall(all, idle)
	return Progress{
		Synced: i.HasSynced(), LastError: i.LastError(),
		Phase: p.Phase, Objects: p.Objects, Failures: p.Failures,
	}
}

// Stats returns statistics. Its cost is proportional to the number of sources and handlers.
func (i *Informer[T]) Stats() Stats {
	s := Stats{
		Resource: health.Informer(i.resource, "", ""), Name: i.opts.name, Synced: i.HasSynced(),
		Objects: i.store.Reader().Len(),
	}
	for _, one := range i.Sources() {
		if f := one.reading(); f != nil {
			s.Sources = append(s.Sources, SourceStats{one.name, f.Reflector().Stats()})
		}
	}
	i.mu.Lock()
	s.IndexErrors = maps.Clone(i.indexErrors)
	i.mu.Unlock()
	for _, l := range i.hub.Listeners() {
		s.Handlers = append(s.Handlers, HandlerStats(l.Stats()))
	}
	return s
}

// blocked describes the handler that blocks the informer, "" if none does.
func (i *Informer[T]) blocked() string {
	l := i.hub.Blocking()
	if l == nil {
		return ""
	}
	stats := l.Stats()
	return health.Blocked(l.Label(), stats.Calling, stats.Pending)
}

// hanging returns the calls that keep the informer from ending.
func (i *Informer[T]) hanging() []Hanging {
	i.mu.Lock()
	running := i.running != nil
	i.mu.Unlock()
	if !running {
		return nil
	}
	var calls []Hanging
	name := health.Informer(i.resource, i.opts.name, "")
	for _, l := range i.hub.Calling() {
		if lasting := l.CallLasts(); lasting > 0 {
			calls = append(calls, Hanging{Informer: name, Handler: l.Label(), Lasting: lasting})
		}
	}
	if calls == nil {
		return []Hanging{{Informer: name}}
	}
	return calls
}
