// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Source is one source of an informer. It has its own resourceVersion, sync and errors. Its
// methods are safe for concurrent use.
type Source[T metav1.Object] struct {
	informer *Informer[T]
	name     string
	log      *log
	src      source.ListerWatcher[T]
	part     bool            // of a source that implements source.Multi
	synced   chan struct{}   // closed once its first list is in the store
	life     context.Context // ends when the source has been removed
	endLife  context.CancelFunc

	// Guarded by informer.mu.
	lastError error
	position  string // version of the source that the store has reached, while it is not read
	hasSynced bool
	leaving   bool                    // it is being removed
	cancel    context.CancelFunc      // of its goroutines; nil without goroutines
	reads     *reflector.Reflector[T] // nil if the source is not read
}

func newSource[T metav1.Object](i *Informer[T], name string, src source.ListerWatcher[T]) *Source[T] {
	s := &Source[T]{informer: i, name: name, log: i.log.of(name), src: src, synced: make(chan struct{})}
	s.life, s.endLife = context.WithCancel(context.Background())
	return s
}

// Name returns the name of the source. It is "" for the source that was passed to New.
func (s *Source[T]) Name() string { return s.name }

// Synced is closed once the first list of the source is in the store.
func (s *Source[T]) Synced() <-chan struct{} { return s.synced }

// HasSynced reports whether Synced is closed.
func (s *Source[T]) HasSynced() bool { return isClosed(s.synced) }

// LastError returns the last error of the source as an *Error, or nil. It is kept when the
// source recovers.
func (s *Source[T]) LastError() error {
	s.informer.mu.Lock()
	defer s.informer.mu.Unlock()
	return s.lastError
}

// ResourceVersion returns the version of the source that the store has reached.
func (s *Source[T]) ResourceVersion() string {
	return s.informer.store.Reader().ResourceVersionOf(s.name)
}

// WaitFor waits until the store has reached resourceVersion of the source; see
// store.Reader.WaitFor. It returns store.ErrSourceEnded if the source is or has been removed, and
// ErrStopped if the informer's factory stops the informer.
func (s *Source[T]) WaitFor(ctx context.Context, resourceVersion string) error {
	if s.life.Err() != nil && resourceVersion != "" {
		return store.ErrSourceEnded // another source may have the name now
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.life, func() { cancel(store.ErrSourceEnded) })()
	return s.informer.waitedFor(s.name, s.informer.store.Reader().WaitForSource(ctx, s.name, resourceVersion))
}

// WaitForSync waits until the first list of the source is in the store. It returns a *WaitError
// that names the source if ctx or a run of the informer ends first, or the source is removed.
func (s *Source[T]) WaitForSync(ctx context.Context) error {
	why := await(ctx, s.synced, s.informer.ended(), s.life.Done(), ErrSourceRemoved)
	if why == nil {
		return nil
	}
	return s.waitError(why)
}

// waitError describes a wait for the source that ended in vain.
func (s *Source[T]) waitError(why error) error {
	i := s.informer
	i.mu.Lock()
	defer i.mu.Unlock()
	return &WaitError{Resource: i.resource, Name: i.opts.name, Source: s.name, Err: why, Last: s.lastError}
}

// Remove removes the source from its informer; see Informer.RemoveSource.
func (s *Source[T]) Remove(ctx context.Context) error { return s.informer.remove(ctx, s) }

// WaitFor waits until the store has reached resourceVersion of every source of the informer. The
// sources must be of one server, like namespaces and shards. WaitFor stops waiting for a source
// that is removed, and also waits for namespaces and shards that are added. With one source it
// is WaitFor of the store.
//
// WaitFor returns the errors of store.Reader.WaitFor, ErrStopped if the informer's factory stops
// the informer, and ErrNoSource at once if the informer has no source. Use a ctx that ends: a
// source that cannot be read never reaches the version.
func (i *Informer[T]) WaitFor(ctx context.Context, resourceVersion string) error {
	if !i.hasSource() {
		return i.name(ErrNoSource)
	}
	reached := 0
	for _, s := range i.Sources() {
		switch err := s.WaitFor(ctx, resourceVersion); {
		case err == nil:
			reached++
		case !errors.Is(err, store.ErrSourceEnded):
			return err
		}
	}
	switch {
	case i.multi != nil:
	case reached > 0:
		return nil
	default: // the last source has been removed
		return i.name(ErrNoSource)
	}
	// Parts may have been added since.
	return i.waitedFor("", i.store.Reader().WaitForJoined(ctx, resourceVersion))
}

// Source returns the source of that name, or nil.
func (i *Informer[T]) Source(name string) *Source[T] {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.source(name)
}

// source is Source; it requires i.mu.
func (i *Informer[T]) source(name string) *Source[T] {
	for _, s := range i.sources {
		if s.name == name {
			return s
		}
	}
	return nil
}

// Sources returns the sources of the informer, in the order in which they were added.
func (i *Informer[T]) Sources() []*Source[T] {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.sources)
}

// loadPosition loads the version that the store has reached. It must not be called with
// informer.mu held: reading the store may wait.
func (s *Source[T]) loadPosition() {
	position := s.ResourceVersion()
	s.informer.mu.Lock()
	defer s.informer.mu.Unlock()
	s.position = position
}

// start starts to read the source in r, after loadPosition. It requires informer.mu.
func (s *Source[T]) start(r *run) {
	if s.cancel != nil || s.leaving {
		return
	}
	i := s.informer
	ctx, cancel := context.WithCancel(r.ctx)
	s.cancel = cancel
	q := queue.NewInOrder(queue.Config[types.NamespacedName, T]{
		Key: queue.ObjectKey[T], BatchSize: i.opts.batchSize,
	})
	p := &reading[T]{source: s, run: r, ctx: ctx, cancel: cancel, InOrder: q, read: make(chan struct{})}
	reads := reflector.New(s.src, p, reflector.Options[T]{
		Settings: i.opts.reflector, ResourceVersion: s.position,
		Transform: transformOf[T](i.opts.transforms), Known: i.known, OnError: s.tell, OnEvent: s.log.events(),
	})
	s.reads = reads
	r.done.Go(func() {
		defer close(p.read)
		reads.Run(ctx)
	})
	r.done.Go(p.apply)
}

// reflector returns the reflector of the source, or nil if the source is not read.
func (s *Source[T]) reflector() *reflector.Reflector[T] {
	s.informer.mu.Lock()
	defer s.informer.mu.Unlock()
	return s.reads
}

// end is called when the goroutines of the source have ended. It completes a removal.
func (s *Source[T]) end(r *run) {
	i := s.informer
	i.mu.Lock()
	s.cancel, s.reads = nil, nil
	leaving := s.leaving
	i.mu.Unlock()
	if leaving {
		_ = i.turn.Lock(context.Background()) // no holder of turn waits for a handler
		i.awaitRoom(r.ctx, s.leaveTurn())
	}
}

// tell reports err as an error of the source.
func (s *Source[T]) tell(err error) { _ = s.informer.reportOf(s, err) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
