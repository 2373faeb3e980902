// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"errors"
	"fmt"
	"maps"
	"slices"

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
	// Missing are the sources that have not synced, if the informer has several, and their last errors.
	Missing map[string]error
	// Blocked describes the handler that blocks the informer, and its call; "" if none does.
	Blocked string
	// Handler is set if the wait was for a handler and the informer has synced: its name, or else its
	// type.
	Handler string
	call    string // describes the call of Handler
}

// Error names the informer or the handler, says why the wait ended, and describes the state that
// the wait ended in.
func (e *WaitError) Error() string {
	if e.Handler != "" {
		text := fmt.Sprintf("handler %s of informer of %s, which has synced, "+
			"has not returned from the initial list: %s",
			e.Handler, health.Informer(e.Resource, e.Name, e.Source), e.Err)
		if e.call != "" && !errors.Is(e.Err, ErrRemoved) {
			text += "; " + e.call
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
	if e.Blocked != "" {
		text += "; " + e.Blocked
	}
	for _, source := range slices.Sorted(maps.Keys(e.Missing)) {
		text += "; " + health.Source(source) + ": " + health.LastError(unnamed(e.Missing[source]), "")
	}
	source, last := "", unnamed(e.Last)
	if own := (*Error)(nil); e.Source == "" && errors.As(e.Last, &own) {
		source = own.Source
	}
	if len(e.Missing) > 0 || last == nil && e.Blocked != "" || last != nil && errors.Is(e.Err, last) {
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
	for _, source := range slices.Sorted(maps.Keys(e.Missing)) {
		if err := e.Missing[source]; err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}
