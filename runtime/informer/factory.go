// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
)

// Runner is what a program runs and waits for: an *Informer, or a *Factory.
type Runner interface {
	// Run blocks until ctx and all goroutines of the runner have ended.
	Run(ctx context.Context) error
	// WaitForSync blocks until the runner is ready to use, or returns an error.
	WaitForSync(ctx context.Context) error
}

// Factory starts and stops shared informers. Share adds an informer to it. Create a factory with
// NewFactory; it is started once and shut down once. Its methods are safe for concurrent use.
type Factory struct {
	mu             sync.Mutex
	members        []*member       // copied on write
	runningMembers []*member       // that have begun to run and have not ended; copied on write
	startedCtx     context.Context // of the informers; nil before Start
	cancelStarted  context.CancelFunc

	life context.Context // ends with Shutdown, for ErrShutdown
	end  context.CancelCauseFunc
}

// Shareable is implemented by *Informer, and by types that embed one.
type Shareable interface {
	Runner
	clearNotRunningError()
	endWaitsIfNotRunning()
	shutdownBlockers() []string
	Stats() Stats
}

// member is an informer in a factory. It begins with add, and ends with release or with the factory.
type member struct {
	Shareable
	life     context.Context // its cause is errReleased or that of the factory
	end      context.CancelCauseFunc
	runEnded chan struct{} // closed when it has run and all its goroutines have ended
}

// errReleased ends a member whose last user has released it.
var errReleased = errors.New("the informer was released")

func (m *member) isSameMember(other *member) bool { return m == other }

// NewFactory returns a factory without informers.
func NewFactory() *Factory {
	life, end := context.WithCancelCause(context.Background())
	return &Factory{life: life, end: end}
}

func (f *Factory) add(i Shareable) *member {
	m := &member{Shareable: i, runEnded: make(chan struct{})}
	m.life, m.end = context.WithCancelCause(f.life)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.members = append(f.members, m)
	f.runIfStarted(m)
	if f.life.Err() != nil {
		m.endWaitsIfNotRunning()
	}
	return m
}

// stopAndRemoveMember stops an informer and forgets it.
func (f *Factory) stopAndRemoveMember(m *member) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.members = slices.DeleteFunc(slices.Clone(f.members), m.isSameMember)
	m.end(errReleased)
	if f.startedCtx == nil {
		m.endWaitsIfNotRunning()
	}
}

// runIfStarted runs m if f is started. It requires f.mu.
func (f *Factory) runIfStarted(m *member) {
	if f.startedCtx == nil || f.life.Err() != nil {
		return
	}
	ctx, cancel := context.WithCancel(f.startedCtx)
	stop := context.AfterFunc(m.life, cancel)
	m.clearNotRunningError()
	f.runningMembers = append(f.runningMembers, m)
	go func() {
		defer f.markMemberEnded(m)
		defer cancel()
		defer stop()
		_ = m.Run(ctx) // WaitForSync returns its error, too
		m.endWaitsIfNotRunning()
	}()
}

// markMemberEnded is called when the goroutines of m have ended.
func (f *Factory) markMemberEnded(m *member) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.runningMembers = slices.DeleteFunc(slices.Clone(f.runningMembers), m.isSameMember)
	close(m.runEnded)
}

// Start runs the informers of f, and from now on each informer as soon as it is created. They
// stop when ctx ends or by Shutdown. Waits for an informer that has stopped, or for its store,
// return ErrStopped. Start does not block. Calls after the first have no effect.
func (f *Factory) Start(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.startedCtx != nil || f.life.Err() != nil {
		return
	}
	f.startedCtx, f.cancelStarted = context.WithCancel(ctx)
	for _, m := range f.members {
		f.runIfStarted(m)
	}
}

// Run calls Start, waits until ctx ends, and calls Shutdown. It returns nil. Use it with
// errgroup or as a runnable of controller-runtime's manager. Such a runnable should return false
// from NeedLeaderElection; a manager.RunnableFunc runs on the leader only.
func (f *Factory) Run(ctx context.Context) error {
	f.Start(ctx)
	<-ctx.Done()
	f.Shutdown()
	return nil
}

// WaitForSync waits until all current informers of f have synced. Informers that are released
// meanwhile do not count. If ctx ends or an informer stops first, WaitForSync returns the joined
// errors of the informers that have not synced.
func (f *Factory) WaitForSync(ctx context.Context) error {
	f.mu.Lock()
	members := f.members
	f.mu.Unlock()
	var errs []error
	for _, m := range members {
		errs = append(errs, m.waitForSyncUnlessReleased(ctx))
	}
	err := errors.Join(errs...)
	if err != nil && f.life.Err() != nil && !errors.Is(err, ErrShutdown) {
		return errors.Join(ErrShutdown, err) // the informers stopped before the wait ended
	}
	return err
}

// waitForSyncUnlessReleased returns nil if the informer is released meanwhile.
func (m *member) waitForSyncUnlessReleased(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(m.life, func() { cancel(context.Cause(m.life)) })()
	err := m.WaitForSync(ctx)
	if errors.Is(context.Cause(m.life), errReleased) {
		return nil
	}
	return err
}

// loadLiveMembers returns the members whose goroutines have not ended.
func (f *Factory) loadLiveMembers() []*member {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.runningMembers
}

// Stats returns the statistics of the informers that are running.
func (f *Factory) Stats() (all []Stats) {
	for _, m := range f.loadLiveMembers() {
		all = append(all, m.Stats())
	}
	return all
}

// Shutdown stops all informers and waits until all their goroutines have ended. Informers that
// are created afterwards never run. Shutdown may be called more than once, and without Start. A
// handler must not call it: Shutdown waits for the call. If a handler hangs, Shutdown does not
// return; ShutdownContext does.
func (f *Factory) Shutdown() { _ = f.ShutdownContext(context.Background()) }

// ShutdownContext stops all informers and waits until all their goroutines have ended or ctx
// ends. In the latter case its error wraps the cause of ctx and names the informers and handlers
// that have not ended. No other call of a handler begins.
func (f *Factory) ShutdownContext(ctx context.Context) error {
	f.mu.Lock()
	f.end(ErrShutdown)
	if f.cancelStarted != nil {
		f.cancelStarted()
	} else {
		for _, m := range f.members {
			m.endWaitsIfNotRunning()
		}
	}
	f.mu.Unlock()
	for _, m := range f.loadLiveMembers() {
		if err := ctxsync.AwaitClosed(ctx, m.runEnded); err != nil {
			return f.shutdownBlockedError(err)
		}
	}
	return nil
}

// shutdownBlockedError adds to why, the end of a wait, the calls that keep the informers from ending.
func (f *Factory) shutdownBlockedError(why error) error {
	for _, m := range f.loadLiveMembers() {
		for _, call := range m.shutdownBlockers() {
			why = fmt.Errorf("%w; %s", why, call)
		}
	}
	return why
}
