// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
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

// waitError is the error of a wait for the store of an informer.
type waitError struct {
	informer string
	why      error
	blocked  *Blocked
	last     error
	ago      string // age of last, "" if unknown
}

// explain adds the state of the informer to the error of a wait for its store.
func (i *Informer[T]) explain(why error) error {
	if errors.Is(why, store.ErrStreamLeft) {
		return why
	}
	e := &waitError{
		informer: describe(i.resource, i.opts.name), why: why, blocked: i.blocked(), last: i.LastError(),
	}
	var read *reflector.Error
	if errors.As(e.last, &read) {
		e.ago = fmt.Sprintf(", %v ago", time.Since(read.Time).Round(time.Second))
	}
	return e
}

// Error says why the wait ended, names the informer, and describes its state.
func (e *waitError) Error() string {
	text := fmt.Sprintf("%v; informer of %s: ", e.why, e.informer)
	if e.blocked != nil {
		text += e.blocked.String()
		if e.last == nil {
			return text
		}
		text += "; "
	}
	if e.last == nil {
		return text + "no error so far"
	}
	source := ""
	if own := (*Error)(nil); errors.As(e.last, &own) && own.Source != "" {
		source = " of " + describeSource(own.Source)
	}
	return text + "last error" + source + e.ago + ": " + unnamed(e.last).Error()
}

// Unwrap returns why the wait ended, and the last error of the informer.
func (e *waitError) Unwrap() []error {
	if e.last == nil {
		return []error{e.why}
	}
	return []error{e.why, e.last}
}
