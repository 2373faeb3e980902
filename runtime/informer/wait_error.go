// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"errors"
	"maps"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// waitError is returned by waits for an informer, source or handler to sync, and for a store to
// reach a version, that end in vain.
type waitError struct {
	resource schema.GroupVersionResource
	name     string // of the informer, if it has one
	source   string // of the source, if the wait was for one
	err      error  // why the wait ended, usually the cause of its context
	last     error  // the last error of the informer or source, or nil
	synced   bool
	progress string           // of the lists; "" if no source is read
	missing  map[string]error // the last errors of sources that have not synced, if there are several
	blocked  string           // the handler that blocks the informer, and its call; "" if none does
	handler  string           // set if the wait was for a handler and the informer has synced: its label
	call     string           // describes the call of handler
}

// Error names the informer or the handler, says why the wait ended, and describes the state that
// the wait ended in.
func (e *waitError) Error() string {
	text := "informer of " + health.Informer(e.resource, e.name, e.source)
	if e.handler != "" {
		text = "handler " + e.handler + " of " + text + ", which has synced, has not returned from the initial list: " +
			e.err.Error()
		if e.call != "" && !errors.Is(e.err, ErrRemoved) {
			text += "; " + e.call
		}
		return text
	}
	if !e.synced {
		text += " has not synced"
	}
	text += ": " + e.err.Error()
	if !e.synced && e.progress != "" {
		text += "; " + e.progress
	}
	if e.blocked != "" {
		text += "; " + e.blocked
	}
	for _, source := range slices.Sorted(maps.Keys(e.missing)) {
		text += "; " + health.Source(source) + ": " + health.LastError(unnamed(e.missing[source]), "")
	}
	source, last := "", unnamed(e.last)
	if own := (*Error)(nil); e.source == "" && errors.As(e.last, &own) {
		source = own.Source
	}
	if len(e.missing) > 0 || last == nil && e.blocked != "" || last != nil && errors.Is(e.err, last) {
		return text // which has the last error already
	}
	return text + "; " + health.LastError(last, source)
}

// Unwrap returns why the wait ended, the last error, and the errors of missing sources.
func (e *waitError) Unwrap() []error {
	errs := []error{e.err, e.last}
	for _, source := range slices.Sorted(maps.Keys(e.missing)) {
		errs = append(errs, e.missing[source])
	}
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}
