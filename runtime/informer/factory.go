// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"sync"
)

// ErrShutdown ends the wait for informers of a factory that was shut down.
var ErrShutdown = errors.New("the factory was shut down")

// Runner is what a factory starts: an *Informer, or what embeds one.
type Runner interface {
	// Run blocks until ctx ends, and then until everything that it started has.
	Run(ctx context.Context) error
	// WaitForSync blocks until the runner is of use, or returns why it is not.
	WaitForSync(ctx context.Context) error
}

// Factory starts, awaits and stops informers that are shared by whoever asks for
// them. Its methods are safe for concurrent use. It is started once and shut down
// once.
type Factory struct {
	mu      sync.Mutex
	runners []Runner
	ctx     context.Context // of the informers; nil before Start
	cancel  context.CancelFunc
	running sync.WaitGroup

	life context.Context // ends with Shutdown
	end  context.CancelFunc
}

// NewFactory returns a factory without informers.
func NewFactory() *Factory {
	life, end := context.WithCancel(context.Background())
	return &Factory{life: life, end: end}
}

// Once returns a function that returns the same informer whenever it is called: make
// is called the first time, and what it returns belongs to f from then on. If f was
// started, it is started too.
func Once[I Runner](f *Factory, make func() I) func() I {
	return sync.OnceValue(func() I {
		r := make()
		f.add(r)
		return r
	})
}

func (f *Factory) add(r Runner) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.runners = append(f.runners, r)
	f.run(r)
}

// run runs r if f is started. The lock must be held.
func (f *Factory) run(r Runner) {
	if f.ctx == nil || f.life.Err() != nil {
		return
	}
	ctx := f.ctx
	f.running.Go(func() {
		// Why an informer does not run, its WaitForSync says too.
		_ = r.Run(ctx)
	})
}

// Start runs the informers that have been asked for, and from now on each as soon as
// it is. They stop when ctx ends, or by Shutdown. Start does not block. Only the first
// call has an effect, so that whoever has added an informer may call it.
func (f *Factory) Start(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx != nil || f.life.Err() != nil {
		return
	}
	f.ctx, f.cancel = context.WithCancel(ctx)
	for _, r := range f.runners {
		f.run(r)
	}
}

// Run is Start, and when ctx ends Shutdown: for those who start things by a function
// that blocks, as controller-runtime's manager.RunnableFunc and errgroup do. It
// returns nil.
func (f *Factory) Run(ctx context.Context) error {
	f.Start(ctx)
	<-ctx.Done()
	f.Shutdown()
	return nil
}

// WaitForSync waits until all informers that have been asked for so far have synced.
// It returns the errors of those that have not when ctx ends or they stop, joined;
// each names its informer and its last error.
func (f *Factory) WaitForSync(ctx context.Context) error {
	f.mu.Lock()
	runners := append([]Runner(nil), f.runners...)
	f.mu.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(f.life, func() { cancel(ErrShutdown) })()
	var errs []error
	for _, r := range runners {
		errs = append(errs, r.WaitForSync(ctx))
	}
	return errors.Join(errs...)
}

// Shutdown stops all informers and waits until all their goroutines have ended, those
// that call handlers included. Informers that are asked for afterwards are made but
// never run. It may be called more than once, and without Start; not by a handler,
// which it would wait for.
func (f *Factory) Shutdown() { _ = f.ShutdownContext(context.Background()) }

// ShutdownContext is Shutdown, but waits no longer than until ctx ends, whose cause it
// returns then: a handler that hangs in a call cannot be ended. The informers are
// stopped all the same, and no other call begins.
func (f *Factory) ShutdownContext(ctx context.Context) error {
	f.mu.Lock()
	f.end()
	if f.cancel != nil {
		f.cancel()
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
		return context.Cause(ctx)
	}
}
