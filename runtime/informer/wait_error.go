// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// WaitError is returned by waits for an informer, source or handler to sync, and for a store to
// reach a version, that end in vain.
type WaitError struct {
	Resource schema.GroupVersionResource
	Name     string // of the informer, if it has one
	Source   string // of the source, if the wait was for one
	Err      error  // why the wait ended, usually the cause of its context
	Last     error  // the last error of the informer or source, or nil
	Progress Progress
	// Missing are the sources that have not synced, if the informer has several.
	Missing []SourceError
	// Blocked is the handler that blocks the informer, or nil.
	Blocked *Blocked
	// Handler and Stats are set if the wait was for a handler and the informer has synced.
	// Handler is the handler's name, or else its type.
	Handler string
	Stats   *HandlerStats
}

// SourceError is the last error of one of several sources, or nil.
type SourceError struct {
	Source string
	Err    error
}

// Error names the informer or the handler, says why the wait ended, and describes the state that
// the wait ended in.
func (e *WaitError) Error() string {
	if e.Stats != nil {
		text := fmt.Sprintf("handler %s of informer of %s, which has synced, "+
			"has not returned from the initial list: %s",
			e.Handler, health.Informer(e.Resource, e.Name, e.Source), e.Err)
		call := health.Call(e.Stats.Calling, e.Stats.Pending)
		if call != "" && !errors.Is(e.Err, ErrRemoved) {
			text += "; " + call
		}
		return text
	}
	text := "informer of " + health.Informer(e.Resource, e.Name, e.Source)
	if !e.Progress.Synced {
		text += " has not synced"
	}
	text += ": " + e.Err.Error()
	phase := e.Progress.Phase
	idle := phase == "" || phase == reflector.PhaseNone || phase == reflector.PhaseEnded
	if !e.Progress.Synced && (e.Progress.Objects > 0 || e.Last == nil && !idle) {
		text += "; " + e.Progress.String()
	}
	if e.Blocked != nil {
		text += "; " + e.Blocked.String()
	}
	for _, missing := range e.Missing {
		text += "; " + health.Source(missing.Source) + ": " + health.LastError(unnamed(missing.Err), "")
	}
	source, last := "", unnamed(e.Last)
	if own := (*Error)(nil); e.Source == "" && errors.As(e.Last, &own) {
		source = own.Source
	}
	if len(e.Missing) > 0 || last == nil && e.Blocked != nil || last != nil && errors.Is(e.Err, last) {
		return text // which has the last error already
	}
	return text + "; " + health.LastError(last, source)
}

// Unwrap returns why the wait ended, the last error, and the errors of missing sources.
func (e *WaitError) Unwrap() []error {
	errs := []error{e.Err}
	if e.Last != nil {
		errs = append(errs, e.Last)
	}
	for _, missing := range e.Missing {
		if missing.Err != nil {
			errs = append(errs, missing.Err)
		}
	}
	return errs
}
