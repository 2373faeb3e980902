// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// Progress is how far an informer is from having synced, over all its sources.
type Progress struct {
	Synced bool
	// Phase is that of the source that is the furthest behind.
	Phase reflector.Phase
	// Objects is how many objects have been received by the lists under way and, of
	// sources that are past theirs, by the last one. Some of them may not be in the
	// store yet.
	Objects int
	// Remaining is how many objects the lists under way have yet to receive; -1 if there
	// is one of which the server did not say: it does of a list in pages, without a
	// selector, for which it takes WithWatchList(false) and WithConsistentList.
	Remaining int
	// Stalled is for how long a list under way has brought neither an object nor 64 KiB, of
	// the source where it is longest; 0 if for less than 30 s. See reflector.ErrSlowList.
	Stalled time.Duration
	// Failures is how many attempts have failed in a row, of the source where it is most.
	Failures int
	// LastError is that of the informer, nil if there was none.
	LastError error
}

// String returns for example "12,500 objects so far, 37,500 remaining"; of what has synced
// it also says whether it has since ended, or lost its server, and of a list that stalls, for
// how long it has brought nothing.
func (p Progress) String() string {
	text := p.reached()
	if p.Stalled > 0 {
		text += "; " + stalledFor(p.Stalled)
	}
	return text
}

func stalledFor(d time.Duration) string {
	return fmt.Sprintf("the list has brought nothing for %v", roughly(d))
}

// reached is String without what stalls.
func (p Progress) reached() string {
	switch {
	case p.Synced && p.Phase == reflector.PhaseEnded:
		return "synced, and ended"
	case p.Synced && p.Failures > 0:
		return fmt.Sprintf("synced; attempts to go on that have failed since: %d", p.Failures)
	case p.Synced:
		return "synced"
	case p.Objects == 0:
		return string(p.Phase)
	case p.Remaining < 0:
		return thousands(p.Objects) + " objects so far"
	}
	return fmt.Sprintf("%s objects so far, %s remaining", thousands(p.Objects), thousands(p.Remaining))
}

// thousands writes n as "12,500".
func thousands(n int) string {
	digits := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range digits {
		if left := len(digits) - i; i > 0 && left%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// behind orders the phases by how far from watching they are.
var behind = []reflector.Phase{
	reflector.PhaseWatching, reflector.PhaseResuming, reflector.PhaseStreaming, reflector.PhaseListing,
	reflector.PhaseWaiting, reflector.PhaseNone, reflector.PhaseEnded,
}

// insight is what an informer counts about itself, and whom it asks for the rest.
type insight struct {
	mu      sync.Mutex
	sources []*observed
	indexes map[string]int64 // errors of index functions, by index
}

// observed is a source that is being read.
type observed struct {
	name     string
	progress func() reflector.Progress
	stats    func() reflector.Stats
}

// observer is what insight asks of a reflector.
type observer interface {
	Progress() reflector.Progress
	Stats() reflector.Stats
}

// observe has r be part of the informer's progress and stats, under the name of its
// source, "" if it is the only one, until release is called.
func (i *Informer[T]) observe(source string, r observer) (release func()) {
	o := &observed{name: source, progress: r.Progress, stats: r.Stats}
	i.insight.mu.Lock()
	defer i.insight.mu.Unlock()
	i.insight.sources = append(i.insight.sources, o)
	return func() {
		i.insight.mu.Lock()
		defer i.insight.mu.Unlock()
		i.insight.sources = slices.DeleteFunc(i.insight.sources, func(other *observed) bool { return other == o })
	}
}

// journalFor returns where to write about s, or about all sources if that is nil.
func (i *Informer[T]) journalFor(s *Stream[T]) *journal {
	if s == nil {
		return i.journal
	}
	return s.journal
}

// failed counts an error.
func (n *insight) failed(err error) {
	index := indexOf(err)
	if index == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.indexes == nil {
		n.indexes = make(map[string]int64)
	}
	n.indexes[index]++
}

func (n *insight) observed() []*observed {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.sources)
}

// stalled returns for how long the list of a source has brought nothing, 0 if it does not stall.
func (n *insight) stalled(source string) time.Duration {
	for _, o := range n.observed() {
		if o.name == source {
			return o.progress().Stalled
		}
	}
	return 0
}

func (n *insight) indexErrors() map[string]int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return maps.Clone(n.indexes)
}

// Progress returns how far the informer is. It is cheap, and may be called at any time.
// An informer that does not run has no progress: its Phase is "not started" or "ended".
func (i *Informer[T]) Progress() Progress {
	p := Progress{Synced: i.HasSynced(), LastError: i.LastError(), Phase: reflector.PhaseNone}
	select {
	case <-i.ended():
		p.Phase = reflector.PhaseEnded
	default:
	}
	rank, known := -1, true
	for _, o := range i.insight.observed() {
		one := o.progress()
		if at := slices.Index(behind, one.Phase); at > rank {
			rank, p.Phase = at, one.Phase
		}
		p.Objects += one.Objects
		p.Failures = max(p.Failures, one.Failures)
		p.Stalled = max(p.Stalled, one.Stalled)
		if one.Phase == reflector.PhaseWatching || one.Phase == reflector.PhaseResuming {
			continue
		}
		known = known && one.Remaining >= 0
		p.Remaining += max(one.Remaining, 0)
	}
	if !known || rank < 0 {
		p.Remaining = -1
	}
	return p
}
