// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
)

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
	members []*member       // replaced, never changed, when one goes
	live    []*member       // whose goroutines have not ended
	ctx     context.Context // of the informers; nil before Start
	cancel  context.CancelFunc
	running waitgroup.Group

	life context.Context // ends with Shutdown
	end  context.CancelFunc
}

// member is an informer of a factory.
type member struct {
	Runner
	life context.Context // ends when it is released
	end  context.CancelFunc
}

// owned is a Runner that is to be told whether its factory runs it, and that knows what it
// waits for: an *Informer, or what embeds one.
type owned interface {
	expect()
	abandon()
	hanging() []Hanging
}

// expect has an informer that is about to run no longer say that nobody has started it.
func (m *member) expect() {
	if o, ok := m.Runner.(owned); ok {
		o.expect()
	}
}

// abandon ends what waits for an informer that the factory will not run, or not again.
func (m *member) abandon() {
	if o, ok := m.Runner.(owned); ok {
		o.abandon()
	}
}

// NewFactory returns a factory without informers.
func NewFactory() *Factory {
	life, end := context.WithCancel(context.Background())
	return &Factory{life: life, end: end}
}

// Once returns a function that returns the same informer whenever it is called: make
// is called the first time, and what it returns belongs to f from then on. If f was
// started, it is started too.
func Once[I Runner](f *Factory, make func() I) func() I { return Share(f, make).Get }

func (f *Factory) add(r Runner) *member {
	m := &member{Runner: r}
	m.life, m.end = context.WithCancel(context.Background())
	f.mu.Lock()
	defer f.mu.Unlock()
	f.members = append(f.members, m)
	f.run(m)
	if f.life.Err() != nil {
		m.abandon()
	}
	return m
}

// release stops an informer and forgets it.
func (f *Factory) release(m *member) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.members = slices.DeleteFunc(slices.Clone(f.members), func(other *member) bool { return other == m })
	m.end()
	if f.ctx == nil {
		m.abandon()
	}
}

// run runs m if f is started. The lock must be held.
func (f *Factory) run(m *member) {
	if f.ctx == nil || f.life.Err() != nil {
		return
	}
	ctx, cancel := context.WithCancel(f.ctx)
	stop := context.AfterFunc(m.life, cancel)
	m.expect()
	f.live = append(f.live, m)
	f.running.Go(func() {
		defer f.ended(m)
		defer cancel()
		defer stop()
		// Why an informer does not run, its WaitForSync says too.
		_ = m.Run(ctx)
		m.abandon()
	})
}

// ended notes that the goroutines of m have.
func (f *Factory) ended(m *member) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.live = slices.DeleteFunc(f.live, func(other *member) bool { return other == m })
}

// Start runs the informers that have been asked for, and from now on each as soon as
// it is. They stop when ctx ends, or by Shutdown; then who waits for one of them to sync, or
// for its store to catch up, gets ErrStopped. Start does not block. Only the first
// call has an effect, so that whoever has added an informer may call it.
func (f *Factory) Start(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx != nil || f.life.Err() != nil {
		return
	}
	f.ctx, f.cancel = context.WithCancel(ctx)
	for _, m := range f.members {
		f.run(m)
	}
}

// Run is Start, and when ctx ends Shutdown: for those who start things by a function
// that blocks, as errgroup and the runnables of controller-runtime's manager do (one
// whose NeedLeaderElection returns false: a manager.RunnableFunc runs on the leader
// only). It does not wait for sync: WaitForSync does. It returns nil.
func (f *Factory) Run(ctx context.Context) error {
	f.Start(ctx)
	<-ctx.Done()
	f.Shutdown()
	return nil
}

// WaitForSync waits until all informers that have been asked for so far, and have not
// been released since, have synced. It returns the errors of those that have not when ctx
// ends or they stop, joined; each names its informer and its last error.
func (f *Factory) WaitForSync(ctx context.Context) error {
	f.mu.Lock()
	members := slices.Clone(f.members)
	f.mu.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(f.life, func() { cancel(ErrShutdown) })()
	var errs []error
	for _, m := range members {
		errs = append(errs, m.waitForSync(ctx))
	}
	err := errors.Join(errs...)
	if err != nil && f.life.Err() != nil && !errors.Is(err, ErrShutdown) {
		return errors.Join(ErrShutdown, err) // they stopped before the wait did
	}
	return err
}

// waitForSync is WaitForSync; what has been released need not sync.
func (m *member) waitForSync(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(m.life, cancel)()
	err := m.WaitForSync(ctx)
	if m.life.Err() != nil {
		return nil
	}
	return err
}
