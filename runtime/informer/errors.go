// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	// ErrNoSource is why an informer does not run that was made without a source.
	ErrNoSource = errors.New("the informer has no source: give it one when it is made, or set the field of Sources that is named for it")
	// ErrRunning is why an informer cannot be run again before it has stopped.
	ErrRunning = errors.New("the informer is running already")
	// ErrNotStarted is the last error of an informer that nobody has run.
	ErrNotStarted = errors.New("the informer was not started; call Run, or Start of its factory")
	// ErrStopped ends the wait for an informer that was stopped before it had synced, or
	// will not be run since its factory was shut down or has released it; and for what the
	// store of an informer does not have that a factory has stopped.
	ErrStopped = errors.New("the informer was stopped")
	// ErrSourceExists is why a source is not added whose name another one has, or has not
	// yet given up.
	ErrSourceExists = errors.New("the informer has a source of that name; RemoveSource waits until it is gone")
	// ErrNoSuchSource is why a source is not removed that the informer does not have.
	ErrNoSuchSource = errors.New("the informer has no source of that name")
	// ErrSourceRemoved ends the wait for a source that was removed before it had synced.
	ErrSourceRemoved = errors.New("the source was removed")
)

// ErrShortLived is reported when the context of a run has ended, since its deadline has come,
// before the first list was in the store.
var ErrShortLived = errors.New("the context that the informer runs by has come to its deadline before the first list was in the store: Start and Run want one that lasts as long as the informer shall run, and WaitForSync the one that says how long to wait")

// Error is an error of one informer.
type Error struct {
	Resource schema.GroupVersionResource
	Name     string // of the informer, if it has one
	Source   string // of which it is an error, if that has a name
	Err      error
}

// Error names the informer, and its source if it has several, and says what is wrong.
func (e *Error) Error() string {
	named := "informer of " + describeOf(e.Resource, e.Name, e.Source) + ": "
	text := e.Err.Error()
	// Of a wait for the store, that says it too: others who wait there have no other word of it.
	for _, again := range []string{named, "informer of " + describe(e.Resource, e.Name) + ": "} {
		text = strings.ReplaceAll(text, "; "+again, "; ")
	}
	return named + text
}

// Unwrap returns the error without the informer's name.
func (e *Error) Unwrap() error { return e.Err }

// SyncError is what a wait returns for an informer that has not synced, or for a handler of
// one that has.
type SyncError struct {
	Resource schema.GroupVersionResource
	Name     string // of the informer, if it has one
	Source   string // which the wait was for, if it was for one of several
	Err      error  // why the wait ended: the cause of the context, usually
	Last     error  // the last error of the informer, or of the source; nil if it has none
	Progress Progress
	// Missing are those of an informer's several sources that have not synced.
	Missing []SourceError
	// Blocked is what keeps the informer from reading on, nil if nothing does.
	Blocked *Blocked
	// Handler is the one that the wait was for, if the informer has synced and the handler has
	// yet to be told the initial list: its name, or else its type. Stats is how it keeps up.
	Handler string
	Stats   *HandlerStats
}

// SourceError is the last error of one of several sources, nil if it has none, and for how
// long its list has brought nothing, as in Progress.
type SourceError struct {
	Source  string
	Err     error
	Stalled time.Duration
}

// Error names the informer, why the wait ended, how far the informer was, and why it was
// no further; or the handler, and what that is at.
func (e *SyncError) Error() string {
	if e.Stats != nil {
		text := fmt.Sprintf("handler %s of informer of %s, which has synced, has not been told all of the initial list: %s",
			e.Handler, describeOf(e.Resource, e.Name, e.Source), e.Err)
		if standing := e.Stats.standing(); standing != "" && !errors.Is(e.Err, ErrRemoved) {
			text += "; " + standing
		}
		return text
	}
	text := fmt.Sprintf("informer of %s has not synced: %s", describeOf(e.Resource, e.Name, e.Source), e.Err)
	idle := e.Progress.Phase == "" || e.Progress.Phase == reflector.PhaseNone || e.Progress.Phase == reflector.PhaseEnded
	if !e.Progress.Synced && (e.Progress.Objects > 0 || e.Last == nil && !idle) {
		text += "; " + e.Progress.reached()
	}
	if e.Blocked != nil {
		text += "; " + e.Blocked.String()
	}
	for _, missing := range e.Missing {
		text += "; " + describeSource(missing.Source) + ": " + obstacle(missing.Stalled, unnamed(missing.Err))
	}
	last := unnamed(e.Last)
	switch {
	case len(e.Missing) > 0:
		return text
	case last == nil && e.Blocked != nil:
		return text
	case last != nil && errors.Is(e.Err, last):
		return text // do not say it twice
	}
	return text + "; " + obstacle(e.Progress.Stalled, last)
}

// obstacle says what keeps a source from syncing: a list that has stalled for a while, and the
// last error.
func obstacle(stalled time.Duration, last error) string {
	switch {
	case stalled > 0 && (last == nil || errors.Is(last, reflector.ErrSlowList)):
		return stalledFor(stalled)
	case stalled > 0:
		return stalledFor(stalled) + "; last error: " + last.Error()
	case last == nil:
		return "no error so far"
	}
	return "last error: " + last.Error()
}

// unnamed returns err without the informer that it names.
func unnamed(err error) error {
	var own *Error
	if errors.As(err, &own) {
		return own.Err
	}
	return err
}

// Unwrap returns why the wait ended, the last error, and those of missing sources.
func (e *SyncError) Unwrap() []error {
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

// describe returns "widgets.example.com/v1", or that and a name.
func describe(gvr schema.GroupVersionResource, name string) string {
	return describeOf(gvr, name, "")
}

// describeOf is describe with the name of a source, if that is not "".
func describeOf(gvr schema.GroupVersionResource, name, source string) string {
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
