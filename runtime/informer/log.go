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

// SlowHandler is how long the informer waits for a handler before it logs a warning.
const SlowHandler = 5 * time.Second

// WithLogger logs the informer's activity to logger. Each record has the attribute "resource",
// "informer" if the informer has a name, and "source" if it has several sources. Without this
// option nothing is logged.
//
//	debug  listing, watching: op, resourceVersion
//	debug  watch ended: resourceVersion, reason (see reflector.Reason), events, lasted, error
//	info   listed: op, resourceVersion, objects, took
//	info   listing again: op, resourceVersion, reason, error
//	info   no watch list: the server cannot stream lists; always, error
//	info   handler no longer blocks the informer: handler, pending, for
//	warn   error: the errors that the error handler gets, without panics; error, op, reason,
//	       object, wait until the next attempt
//	warn   source went backward: resourceVersion
//	warn   handler blocks the informer for SlowHandler or longer: handler, pending, for
//	error  error: a handler panicked; error, stack
//
// A watch that the server ends is not an error.
//
// A logger does not replace the error handler: without that, a panic of a handler still ends the
// program. logger is called by several goroutines, under no lock, and delays them.
func WithLogger(logger *slog.Logger) Option { return func(o *options) { o.logger = logger } }

// log writes the records of an informer or of one source. A nil log drops them. attrs are added
// to each record: some slog handlers, like klog's, drop the attributes of Logger.With.
type log struct {
	logger *slog.Logger
	attrs  []slog.Attr
}

// newLog returns nil if logger is nil.
func newLog(logger *slog.Logger, resource, name string) *log {
	if logger == nil {
		return nil
	}
	attrs := []slog.Attr{slog.String("resource", resource)}
	if name != "" {
		attrs = append(attrs, slog.String("informer", name))
	}
	return &log{logger, attrs}
}

func (l *log) write(level slog.Level, text string, attrs ...slog.Attr) {
	if l != nil {
		l.logger.LogAttrs(context.Background(), level, text, slices.Concat(l.attrs, attrs)...)
	}
}

// of returns the log of one of several sources.
func (l *log) of(source string) *log {
	if l == nil || source == "" {
		return l
	}
	return &log{l.logger, append(slices.Clone(l.attrs), slog.String("source", source))}
}

// events returns the function that logs the events of a reflector, or nil.
func (l *log) events() func(reflector.Event) {
	if l == nil {
		return nil
	}
	return l.event
}

func (l *log) event(e reflector.Event) {
	op, rv := slog.String("op", string(e.Op)), slog.String("resourceVersion", e.ResourceVersion)
	switch e.Type {
	case reflector.EventListing:
		if e.Err != nil {
			reason := slog.String("reason", reflector.Reason(e.Err))
			l.write(slog.LevelInfo, "listing again", op, rv, reason, slog.Any("error", e.Err))
			return
		}
		l.write(slog.LevelDebug, "listing", op, rv)
	case reflector.EventListed:
		if e.Rewound {
			l.write(slog.LevelWarn, "source went backward", rv)
		}
		l.write(slog.LevelInfo, "listed", op, rv, slog.Int("objects", e.Objects), slog.Duration("took", e.Took))
	case reflector.EventWatching:
		l.write(slog.LevelDebug, "watching", rv)
	case reflector.EventWatchEnded:
		attrs := []slog.Attr{
			rv, slog.String("reason", e.Reason), slog.Int("events", e.Objects), slog.Duration("lasted", e.Took),
		}
		if e.Err != nil {
			attrs = append(attrs, slog.Any("error", e.Err))
		}
		l.write(slog.LevelDebug, "watch ended", attrs...)
	case reflector.EventNoWatchList:
		attrs := []slog.Attr{slog.Bool("always", e.Always)}
		if e.Err != nil {
			attrs = append(attrs, slog.Any("error", e.Err))
		}
		l.write(slog.LevelInfo, "no watch list", attrs...)
	}
}

// failed logs an error that the error handler gets.
func (l *log) failed(err error) {
	if l == nil {
		return
	}
	level, attrs := slog.LevelWarn, []slog.Attr{}
	var (
		own  *Error
		read *reflector.Error
		odd  *PanicError
	)
	if errors.As(err, &own) {
		err = own.Err // without the resource, which is an attribute
	}
	switch {
	case errors.As(err, &read) && read.Op == reflector.OpWatchList &&
		(apierrors.IsInvalid(read.Err) || apierrors.IsBadRequest(read.Err)):
		return // logged as "no watch list"
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
	l.write(level, "error", append(attrs, slog.Any("error", err))...)
}

// lateness returns the channel of a timer of SlowHandler, or nil without a logger.
func (l *log) lateness() (late <-chan time.Time, stop func()) {
	if l == nil {
		return nil, func() {}
	}
	timer := time.NewTimer(SlowHandler)
	return timer.C, func() { timer.Stop() }
}

// logBlocking writes a record about a handler that blocks the informer, or did, for d.
func (l *listener[T]) logBlocking(level slog.Level, text string, d time.Duration) {
	pending, _ := l.inbox.Waiting()
	l.informer.log.write(level, text,
		slog.String("handler", l.opts.name), slog.Int("pending", pending), slog.Duration("for", d))
}

// indexOf returns the name of the index whose function failed, or "".
func indexOf(err error) string {
	var e *store.IndexError
	if errors.As(err, &e) {
		return e.Index
	}
	return ""
}
