// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Blocked is a lossless handler whose full buffer blocks the informer.
type Blocked struct {
	Handler string // its name, or else its type
	Stats   HandlerStats
}

// String names the handler, and says how long its call has lasted and how much is pending.
func (b *Blocked) String() string {
	text := "handler " + b.Handler + " blocks the informer"
	if standing := b.Stats.standing(); standing != "" {
		text += ": " + standing
	}
	return text
}

// standing returns, for example, "in a call for 1m0s, 3 pending", or "".
func (s HandlerStats) standing() string {
	var parts []string
	if s.Calling > 0 {
		parts = append(parts, fmt.Sprintf("in a call for %v", roughly(s.Calling)))
	}
	if s.Pending > 0 {
		parts = append(parts, fmt.Sprintf("%d pending", s.Pending))
	}
	return strings.Join(parts, ", ")
}

// roughly rounds d for a message.
func roughly(d time.Duration) time.Duration {
	if d >= time.Second {
		return d.Round(time.Second)
	}
	return d.Round(time.Millisecond)
}

// blocked returns the handler that blocks the informer, or nil.
func (i *Informer[T]) blocked() *Blocked {
	i.mu.Lock()
	all := slices.Clone(i.listeners)
	i.mu.Unlock()
	for _, l := range all {
		if l.timings.blocking.Load() != 0 {
			return &Blocked{Handler: l.name(), Stats: l.stats()}
		}
	}
	return nil
}
