// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
)

// ErrShutdown ends the wait for informers of a factory that was shut down.
var ErrShutdown = errors.New("the factory was shut down")

// ShutdownError is what a wait for informers to end returns when its context ends first.
type ShutdownError struct {
	Err     error // the cause of the context
	Hanging []Hanging
}

// Hanging is a call that keeps an informer from ending: it cannot be ended from outside.
type Hanging struct {
	Informer string // which: its resource and name
	// Handler is the handler that is being called: its name, or else its type. It is empty
	// if none is: then the informer waits for its source, or its error handler.
	Handler string
	Lasting time.Duration // how long the call has lasted, 0 if that is not known
}

// Error names each informer that has not ended, and what it waits for.
func (e *ShutdownError) Error() string {
	text := []string{e.Err.Error()}
	for _, h := range e.Hanging {
		text = append(text, h.String())
	}
	return strings.Join(text, "; ")
}

// Unwrap returns the cause of the context.
func (e *ShutdownError) Unwrap() error { return e.Err }

// String says what the informer waits for.
func (h Hanging) String() string {
	if h.Handler == "" {
		return fmt.Sprintf("informer of %s has not ended: no handler is being called; its source or error handler has yet to return", h.Informer)
	}
	return fmt.Sprintf("informer of %s has not ended: handler %s has been in a call for %v", h.Informer, h.Handler, h.Lasting.Round(time.Millisecond))
}

// Shutdown stops all informers and waits until all their goroutines have ended, those
// that call handlers included. Informers that are asked for afterwards are made but
// never run, and not waited for either. It may be called more than once, and without
// Start; not by a handler, which it would wait for. With a handler that hangs it does not
// return: ShutdownContext does, and says which, and so does a logger ([WithLogger]).
func (f *Factory) Shutdown() { _ = f.ShutdownContext(context.Background()) }

// ShutdownContext is Shutdown, but waits no longer than until ctx ends: a handler that
// hangs in a call cannot be ended. Then it returns a *[ShutdownError] that wraps the cause
// of ctx and names each informer that has not ended, and the handler that it waits for. The
// informers are stopped all the same, and no other call begins.
func (f *Factory) ShutdownContext(ctx context.Context) error {
	f.mu.Lock()
	f.end()
	if f.cancel != nil {
		f.cancel()
	} else {
		for _, m := range f.members {
			m.abandon()
		}
	}
	f.mu.Unlock()
	over := make(chan struct{})
	go func() {
		f.running.Wait()
		close(over)
	}()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return &ShutdownError{Err: context.Cause(ctx), Hanging: f.hanging()}
	}
}

// hanging returns what the informers wait for that have not ended.
func (f *Factory) hanging() []Hanging {
	f.mu.Lock()
	live := slices.Clone(f.live)
	f.mu.Unlock()
	var all []Hanging
	for _, m := range live {
		if o, ok := m.Runner.(owned); ok {
			all = append(all, o.hanging()...)
		} else {
			all = append(all, Hanging{Informer: fmt.Sprintf("a %T", m.Runner)})
		}
	}
	return all
}

// hanging returns what the informer waits for, if it has not ended.
func (i *Informer[T]) hanging() []Hanging {
	i.mu.Lock()
	running := i.running != nil
	all := slices.Concat(i.listeners, i.joining, i.removed)
	i.mu.Unlock()
	if !running {
		return nil
	}
	var calls []Hanging
	for _, l := range all {
		if lasting := age(l.clock.read(), l.timings.calling.Load()); lasting > 0 && l.handler != nil {
			calls = append(calls, Hanging{Informer: describe(i.resource, i.opts.name), Handler: l.name(), Lasting: lasting})
		}
	}
	if calls == nil {
		return []Hanging{{Informer: describe(i.resource, i.opts.name)}}
	}
	return calls
}

// name returns how to speak of the handler.
func (l *listener[T]) name() string {
	switch {
	case l.opts.name != "":
		return l.opts.name
	case l.handler == nil:
		return "(a loop over Changes; WithHandlerName names it)"
	}
	return fmt.Sprintf("(a %T; WithHandlerName names it)", l.handler)
}

// awaitEnd waits for everything that was started in r, whose context has ended.
func (i *Informer[T]) awaitEnd(r *run) {
	if i.journal == nil {
		r.done.Wait()
		return
	}
	over := make(chan struct{})
	go func() {
		r.done.Wait()
		close(over)
	}()
	late, stop := i.journal.lateness()
	defer stop()
	select {
	case <-over:
		return
	case <-late:
	}
	for _, h := range i.hanging() {
		i.journal.write(slog.LevelWarn, "informer does not end", slog.String("handler", h.Handler), slog.Duration("for", h.Lasting))
	}
	<-over
}
