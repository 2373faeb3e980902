// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// ErrShutdown is returned by WaitForSync of a factory that was shut down.
var ErrShutdown = errors.New("the factory was shut down")

// ShutdownError is returned if a context ends before the informers have.
type ShutdownError struct {
	Err     error // the cause of the context
	Hanging []Hanging
}

// Hanging is a call that keeps an informer from ending.
type Hanging struct {
	Informer string // its resource and name
	// Handler is the name of the handler that is being called, or else its type. It is empty
	// if no handler is: then the source or the error handler has not returned.
	Handler string
	Lasting time.Duration // of the call; 0 if unknown
}

// Error names each informer that has not ended, and the handler that it waits for.
func (e *ShutdownError) Error() string {
	text := []string{e.Err.Error()}
	for _, h := range e.Hanging {
		text = append(text, h.String())
	}
	return strings.Join(text, "; ")
}

// Unwrap returns the cause of the context.
func (e *ShutdownError) Unwrap() error { return e.Err }

// String names the informer and the handler that it waits for.
func (h Hanging) String() string {
	text := "informer of " + h.Informer + " has not ended: "
	if h.Handler == "" {
		return text + "no handler is being called; its source or error handler has yet to return"
	}
	lasting := h.Lasting.Round(time.Millisecond)
	return fmt.Sprintf("%shandler %s has been in a call for %v", text, h.Handler, lasting)
}

// Shutdown stops all informers and waits until all their goroutines have ended. Informers that
// are created afterwards never run. Shutdown may be called more than once, and without Start. A
// handler must not call it: Shutdown waits for the call. If a handler hangs, Shutdown does not
// return; ShutdownContext does.
func (f *Factory) Shutdown() { _ = f.ShutdownContext(context.Background()) }

// ShutdownContext stops all informers and waits until all their goroutines have ended or ctx
// ends. In the latter case it returns a *[ShutdownError], which wraps the cause of ctx and names
// the informers and handlers that have not ended. No other call of a handler begins.
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
	ended := make(chan struct{})
	go func() {
		f.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return &ShutdownError{Err: context.Cause(ctx), Hanging: f.hanging()}
	}
}

// hanging returns the calls that keep the informers from ending.
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

// hanging returns the calls that keep the informer from ending.
func (i *Informer[T]) hanging() []Hanging {
	i.mu.Lock()
	running := i.running != nil
	calling := slices.Clone(i.calling)
	i.mu.Unlock()
	if !running {
		return nil
	}
	var calls []Hanging
	name := describe(i.resource, i.opts.name, "")
	for _, l := range calling {
		if lasting := age(l.clock.Read(), l.timings.calling.Load()); lasting > 0 {
			calls = append(calls, Hanging{Informer: name, Handler: l.name(), Lasting: lasting})
		}
	}
	if calls == nil {
		return []Hanging{{Informer: name}}
	}
	return calls
}

// name returns the name of the handler, or else its type.
func (l *listener[T]) name() string {
	if l.opts.name != "" {
		return l.opts.name
	}
	return fmt.Sprintf("(a %T; WithHandlerName names it)", l.handler)
}
