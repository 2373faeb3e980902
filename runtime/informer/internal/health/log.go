// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package health

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// slowHandler is how long a source waits for a handler before that is logged as a warning.
const slowHandler = 5 * time.Second

// Log writes the records of an informer or of one part of its source. A nil Log drops them. attrs are added
// to each record: some slog handlers, like klog's, drop the attributes of Logger.With.
type Log struct {
	logger *slog.Logger
	attrs  []slog.Attr
}

// NewLog returns nil if logger is nil.
func NewLog(logger *slog.Logger, resource, name string) *Log {
	if logger == nil {
		return nil
	}
	attrs := []slog.Attr{slog.String("resource", resource)}
	if name != "" {
		attrs = append(attrs, slog.String("informer", name))
	}
	return &Log{logger, attrs}
}

// Write writes a record.
func (l *Log) Write(level slog.Level, text string, attrs ...slog.Attr) {
	if l != nil {
		l.logger.LogAttrs(context.Background(), level, text, slices.Concat(l.attrs, attrs)...)
	}
}

// Of returns the log of one of several parts of a source.
func (l *Log) Of(source string) *Log {
	if l == nil || source == "" {
		return l
	}
	return &Log{l.logger, append(slices.Clone(l.attrs), slog.String("source", source))}
}

// Event logs an event of a reflector.
func (l *Log) Event(e reflector.Event) {
	op, rv := slog.String("op", string(e.Op)), slog.String("resourceVersion", e.ResourceVersion)
	switch e.Type {
	case reflector.EventListing:
		if e.Err != nil {
			reason := slog.String("reason", reflector.Reason(e.Err))
			l.Write(slog.LevelInfo, "listing again", op, rv, reason, slog.Any("error", e.Err))
			return
		}
		l.Write(slog.LevelDebug, "listing", op, rv)
	case reflector.EventListed:
		if e.Rewound {
			l.Write(slog.LevelWarn, "source went backward", rv)
		}
		l.Write(slog.LevelInfo, "listed", op, rv, slog.Int("objects", e.Objects), slog.Duration("took", e.Took))
	case reflector.EventWatching:
		l.Write(slog.LevelDebug, "watching", rv)
	case reflector.EventWatchEnded:
		attrs := []slog.Attr{
			rv, slog.String("reason", e.Reason), slog.Int("events", e.Objects), slog.Duration("lasted", e.Took),
		}
		if e.Err != nil {
			attrs = append(attrs, slog.Any("error", e.Err))
		}
		l.Write(slog.LevelDebug, "watch ended", attrs...)
	case reflector.EventAbsent:
		l.Write(slog.LevelInfo, "absent")
	case reflector.EventNoWatchList:
		attrs := []slog.Attr{slog.Bool("always", e.Always)}
		if e.Err != nil {
			attrs = append(attrs, slog.Any("error", e.Err))
		}
		l.Write(slog.LevelInfo, "no watch list", attrs...)
	}
}

// Failed logs an error that the error handler gets. stack is that of a handler that panicked, or nil.
func (l *Log) Failed(err error, stack []byte) {
	if l == nil {
		return
	}
	level, attrs := slog.LevelWarn, []slog.Attr{}
	var read *reflector.Error
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
	case stack != nil:
		level, attrs = slog.LevelError, append(attrs, slog.String("stack", string(stack)))
	}
	l.Write(level, "error", append(attrs, slog.Any("error", err))...)
}

// Lateness returns the channel of a timer of slowHandler, or nil without a logger.
func (l *Log) Lateness() (late <-chan time.Time, stop func()) {
	if l == nil {
		return nil, func() {}
	}
	timer := time.NewTimer(slowHandler)
	return timer.C, func() { timer.Stop() }
}
