// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	// ErrNoSource is returned by Run if the informer has no source.
	ErrNoSource = errors.New("the informer has no source: pass one to New, " +
		"or set its field of InformerSources")
	// ErrRunning is returned by Run if the informer is running.
	ErrRunning = errors.New("the informer is already running")
	// ErrNotStarted is the last error of an informer that was never run.
	ErrNotStarted = errors.New("the informer was not started; call Run, or Start of its factory")
	// ErrStopped is returned by waits for an informer that stops before it has synced, and by
	// waits for an informer or its store if its factory is shut down or releases it.
	ErrStopped = errors.New("the informer was stopped")
	// ErrSourceExists is returned by AddSource if the informer has a source of that name.
	ErrSourceExists = errors.New("the informer has a source of that name; RemoveSource waits until it is gone")
	// ErrNoSuchSource is returned by RemoveSource if the informer has no source of that name.
	ErrNoSuchSource = errors.New("the informer has no source of that name")
	// ErrSourceRemoved is returned by WaitForSync of a source that is removed before it has synced.
	ErrSourceRemoved = errors.New("the source was removed")
)

// ErrShortLived is reported if the context of a run reaches its deadline before the informer has
// synced.
var ErrShortLived = errors.New("the context of Run or Start reached its deadline before the first list " +
	"was in the store: pass a context that lasts as long as the informer, and a deadline to WaitForSync")

// Error is an error of one informer.
type Error struct {
	Resource schema.GroupVersionResource
	Name     string // of the informer, if it has one
	Source   string // of the source, if it has one
	Err      error
}

// Error names the informer and, if it has several, the source.
func (e *Error) Error() string {
	return "informer of " + describe(e.Resource, e.Name, e.Source) + ": " + e.Err.Error()
}

// Unwrap returns the error without the informer's name.
func (e *Error) Unwrap() error { return e.Err }

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
			e.Handler, describe(e.Resource, e.Name, e.Source), e.Err)
		if standing := e.Stats.standing(); standing != "" && !errors.Is(e.Err, ErrRemoved) {
			text += "; " + standing
		}
		return text
	}
	text := "informer of " + describe(e.Resource, e.Name, e.Source)
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
		text += "; " + describeSource(missing.Source) + ": " + lastError(unnamed(missing.Err))
	}
	last := unnamed(e.Last)
	switch {
	case len(e.Missing) > 0:
		return text
	case last == nil && e.Blocked != nil:
		return text
	case last != nil && errors.Is(e.Err, last):
		return text // it names the last error already
	case e.Source == "":
		last = e.Last // it names its source
	}
	return text + "; " + lastError(last)
}

// lastError describes err, its age, and what helps if that is known.
func lastError(err error) string {
	if err == nil {
		return "no error so far"
	}
	text := "last error"
	if own := (*Error)(nil); errors.As(err, &own) && own.Source != "" {
		text += " of " + describeSource(own.Source)
	}
	if read := (*reflector.Error)(nil); errors.As(err, &read) {
		text += fmt.Sprintf(", %v ago", time.Since(read.Time).Round(time.Second))
	}
	text += ": " + unnamed(err).Error()
	if apierrors.IsForbidden(err) {
		text += "; grant the verbs list and watch, or read only namespaces in which they are granted"
	}
	return text
}

// unnamed returns err without its *Error.
func unnamed(err error) error {
	var own *Error
	if errors.As(err, &own) {
		return own.Err
	}
	return err
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

func spaced(name string) string {
	if name == "" {
		return ""
	}
	return name + " "
}

// describe returns "widgets.example.com/v1", and the names of the informer and the source unless
// they are "".
func describe(gvr schema.GroupVersionResource, name, source string) string {
	var b strings.Builder
	b.WriteString(gvr.GroupResource().String())
	if gvr.Version != "" {
		b.WriteString("/" + gvr.Version)
	}
	if name != "" {
		fmt.Fprintf(&b, " (%s)", name)
	}
	if source != "" {
		b.WriteString(", " + describeSource(source))
	}
	return b.String()
}

func describeSource(name string) string {
	if name == "" {
		return "the source without a name"
	}
	return "source " + name
}
