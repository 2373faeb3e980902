// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// SlowHandler is how long a call of a handler may last, or the informer wait for one,
// before it is logged.
const SlowHandler = 5 * time.Second

// WithLogger writes what the informer does to logger. Each record carries the attribute
// "resource", "informer" if the informer has a name, and "source" if it has several sources.
// Without this option nothing is logged.
//
//	debug  listing, watching: op, resourceVersion
//	debug  watch ended: resourceVersion, reason (see reflector.Reason), events, lasted,
//	       and error if it was one
//	info   listed: op, resourceVersion, objects, took
//	info   listing again: a list after the first; op, resourceVersion, and reason and
//	       error that made it necessary
//	info   no watch list: the server cannot stream lists, for now or always; always, error
//	info   handler no longer blocks the informer: handler, pending, for
//	warn   error: everything else that the error handler is told, a panic aside; error and, of
//	       a source, op, reason, object if it is about one, and wait, the time until the
//	       next attempt
//	warn   source went backward: resourceVersion
//	warn   handler blocks the informer, handler call lasts long: for SlowHandler or more;
//	       handler, pending, for. A call that lasts is noticed when the next change comes
//	warn   informer does not end: it was stopped SlowHandler ago, and waits; handler, for
//	error  error: a handler has panicked; error, stack
//
// A watch that the server ends when its time has come, or because it restarts, is none of
// the errors: that is normal, and nothing is lost.
//
// Logging is not the error handler: it does not keep handlers that panic from ending the
// program. logger is called from several goroutines, under no lock, and delays them.
func WithLogger(logger *slog.Logger) Option { return func(o *options) { o.logger = logger } }

// journal is where an informer writes what it does; nothing else in the runtime logs.
// A nil one drops everything. attrs go into each record: some handlers, klog's among them,
// drop what Logger.With adds.
type journal struct {
	logger *slog.Logger
	attrs  []slog.Attr
}

// journalOf returns the journal of an informer, nil if it has none.
func journalOf(logger *slog.Logger, resource, name string) *journal {
	if logger == nil {
		return nil
	}
	attrs := []slog.Attr{slog.String("resource", resource)}
	if name != "" {
		attrs = append(attrs, slog.String("informer", name))
	}
	return &journal{logger, attrs}
}

func (j *journal) write(level slog.Level, text string, attrs ...slog.Attr) {
	if j != nil {
		j.logger.LogAttrs(context.Background(), level, text, slices.Concat(j.attrs, attrs)...)
	}
}

// of returns the journal for one of several sources.
func (j *journal) of(source string) *journal {
	if j == nil || source == "" {
		return j
	}
	return &journal{j.logger, append(slices.Clone(j.attrs), slog.String("source", source))}
}

// events returns the function that writes down the events of a reflector, nil if nobody
// reads it.
func (j *journal) events() func(reflector.Event) {
	if j == nil {
		return nil
	}
	return j.event
}

func (j *journal) event(e reflector.Event) {
	op, rv := slog.String("op", string(e.Op)), slog.String("resourceVersion", e.ResourceVersion)
	switch e.Type {
	case reflector.EventListing:
		if e.Err != nil {
			j.write(slog.LevelInfo, "listing again", op, rv, slog.String("reason", reflector.Reason(e.Err)), slog.Any("error", e.Err))
			return
		}
		j.write(slog.LevelDebug, "listing", op, rv)
	case reflector.EventListed:
		if e.Rewound {
			j.write(slog.LevelWarn, "source went backward", rv)
		}
		j.write(slog.LevelInfo, "listed", op, rv, slog.Int("objects", e.Objects), slog.Duration("took", e.Took))
	case reflector.EventWatching:
		j.write(slog.LevelDebug, "watching", rv)
	case reflector.EventWatchEnded:
		attrs := []slog.Attr{rv, slog.String("reason", e.Reason), slog.Int("events", e.Objects), slog.Duration("lasted", e.Took)}
		if e.Err != nil {
			attrs = append(attrs, slog.Any("error", e.Err))
		}
		j.write(slog.LevelDebug, "watch ended", attrs...)
	case reflector.EventNoWatchList:
		attrs := []slog.Attr{slog.Bool("always", e.Always)}
		if e.Err != nil {
			attrs = append(attrs, slog.Any("error", e.Err))
		}
		j.write(slog.LevelInfo, "no watch list", attrs...)
	}
}

// failed writes down an error that the error handler is told.
func (j *journal) failed(err error) {
	if j == nil {
		return
	}
	level, attrs := slog.LevelWarn, []slog.Attr{}
	var (
		own  *Error
		read *reflector.Error
		odd  *PanicError
	)
	if errors.As(err, &own) {
		err = own.Err // the resource is said already
	}
	switch {
	case errors.As(err, &read) && read.Op == reflector.OpWatchList && (apierrors.IsInvalid(read.Err) || apierrors.IsBadRequest(read.Err)):
		return // nothing is wrong with the server: "no watch list" says it
	case read != nil:
		attrs = append(attrs, slog.String("op", string(read.Op)), slog.String("reason", reflector.Reason(read.Err)))
		if read.Key != nil {
			attrs = append(attrs, slog.String("object", read.Key.String()))
		}
		if read.Wait > 0 {
			attrs = append(attrs, slog.Duration("wait", read.Wait))
		}
	case errors.As(err, &odd):
		level, attrs = slog.LevelError, append(attrs, slog.String("stack", string(odd.Stack)))
	}
	j.write(level, "error", append(attrs, slog.Any("error", err))...)
}

// lateness returns a channel that is sent to after SlowHandler if that is to be written
// down, and how to end it.
func (j *journal) lateness() (late <-chan time.Time, stop func()) {
	if j == nil {
		return nil, func() {}
	}
	timer := time.NewTimer(SlowHandler)
	return timer.C, func() { timer.Stop() }
}

// describeHandler says which handler it is about, and how it keeps up.
func (l *listener[T]) describeHandler(d time.Duration) []slog.Attr {
	waiting, _ := l.inbox.waiting()
	return []slog.Attr{slog.String("handler", l.opts.name), slog.Int("pending", waiting), slog.Duration("for", d)}
}

func (l *listener[T]) warnOfBlocking(d time.Duration) {
	l.informer.journal.write(slog.LevelWarn, "handler blocks the informer", l.describeHandler(d)...)
}

func (l *listener[T]) noteUnblocked(d time.Duration) {
	l.informer.journal.write(slog.LevelInfo, "handler no longer blocks the informer", l.describeHandler(d)...)
}

// warnOfLongCall says so if the call under way has lasted for long, once. It is called
// by the goroutine that fills the inboxes.
func (l *listener[T]) warnOfLongCall() {
	if l.informer.journal == nil {
		return
	}
	began := l.timings.calling.Load()
	if began == 0 || began == l.timings.warned {
		return
	}
	if d := age(l.clock.read(), began); d >= SlowHandler {
		l.timings.warned = began
		l.informer.journal.write(slog.LevelWarn, "handler call lasts long", l.describeHandler(d)...)
	}
}

// indexOf returns the index whose function failed, "" if err is not about one.
func indexOf(err error) string {
	var e *store.IndexError
	if errors.As(err, &e) {
		return e.Index
	}
	return ""
}
