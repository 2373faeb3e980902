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

// Stream is one of the sources of an informer, which has its own resourceVersion,
// sync and errors. Its methods are safe for concurrent use.
type Stream[T metav1.Object] struct {
	informer *Informer[T]
	name     string
	journal  *journal
	src      source.ListerWatcher[T]
	part     bool            // of a source.Plural
	synced   chan struct{}   // closed once its first list is in the store
	life     context.Context // ends when it has been removed
	letGone  context.CancelFunc

	// These are guarded by informer.mu.
	lastError error
	reached   string // version of the source that the store reflects, while it is not read
	hasSynced bool
	leaving   bool               // is being removed
	cancel    context.CancelFunc // of its goroutines; nil if it has none
}

func newStream[T metav1.Object](i *Informer[T], name string, src source.ListerWatcher[T]) *Stream[T] {
	s := &Stream[T]{informer: i, name: name, journal: i.journal.of(name), src: src, synced: make(chan struct{})}
	s.life, s.letGone = context.WithCancel(context.Background())
	return s
}

// Name returns what the source was added as; "" is the one that the informer was made
// with.
func (s *Stream[T]) Name() string { return s.name }

// Synced is closed once the first list of the source is in the store.
func (s *Stream[T]) Synced() <-chan struct{} { return s.synced }

// HasSynced reports whether Synced is closed.
func (s *Stream[T]) HasSynced() bool { return isClosed(s.synced) }

// LastError returns the last error of the source, an *Error that names it, or nil. It
// stays after the source has recovered.
func (s *Stream[T]) LastError() error {
	s.informer.mu.Lock()
	defer s.informer.mu.Unlock()
	return s.lastError
}

// ResourceVersion returns the version of the source that the store reflects.
func (s *Stream[T]) ResourceVersion() string {
	return s.informer.store.Reader().ResourceVersionOf(s.name)
}

// WaitFor returns once the store reflects resourceVersion, which the source has given,
// or a later one of it; see store.Reader.WaitFor. It fails with store.ErrStreamLeft if
// the source is removed first, or has been, and with ErrStopped when the informer's
// factory has stopped it.
func (s *Stream[T]) WaitFor(ctx context.Context, resourceVersion string) error {
	if s.life.Err() != nil && resourceVersion != "" {
		return store.ErrStreamLeft // there may be another of that name
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.life, func() { cancel(store.ErrStreamLeft) })()
	return s.informer.store.Reader().WaitForStream(ctx, s.name, resourceVersion)
}

// WaitForSync waits until the first list of the source is in the store. It fails, with
// a *SyncError that names the source, when ctx ends first, the source is removed or a
// run of the informer ends.
func (s *Stream[T]) WaitForSync(ctx context.Context) error {
	ended := s.informer.ended()
	var why error
	select {
	case <-s.synced:
		return nil
	case <-s.life.Done():
		why = ErrSourceRemoved
	case <-ended:
		why = ErrStopped
	case <-ctx.Done():
		why = context.Cause(ctx)
	}
	if s.HasSynced() { // all at once: rather this
		return nil
	}
	return s.syncError(why)
}

// syncError says why a wait for the source has ended.
func (s *Stream[T]) syncError(why error) error {
	i := s.informer
	return &SyncError{
		Resource: i.resource, Name: i.opts.name, Source: s.name, Err: why, Last: s.LastError(),
		Progress: Progress{Stalled: i.insight.stalled(s.name)},
	}
}

// Remove takes the source away from its informer; see Informer.RemoveSource.
func (s *Stream[T]) Remove(ctx context.Context) error { return s.informer.remove(ctx, s) }

// WaitFor returns once the store reflects resourceVersion of each source that the informer
// has: those must be of one server, as namespaces and shards are. A source that is removed
// meanwhile is waited for no longer; a namespace or shard that comes meanwhile is, too. It
// fails as WaitFor of the store does, which it is for an informer with one source; with
// ErrStopped when the informer's factory has stopped it; and at once if it has no source.
// Give it a ctx that ends: a source that cannot be read never gets there.
func (i *Informer[T]) WaitFor(ctx context.Context, resourceVersion string) error {
	if !i.canRun() {
		return i.name(ErrNoSource)
	}
	reached := 0
	for _, s := range i.Streams() {
		switch err := s.WaitFor(ctx, resourceVersion); {
		case err == nil:
			reached++
		case !errors.Is(err, store.ErrStreamLeft):
			return &Error{Resource: i.resource, Name: i.opts.name, Source: s.name, Err: err}
		}
	}
	switch {
	case i.plural != nil:
	case reached > 0:
		return nil
	default: // the last source has been removed, and nothing is known of the version
		return i.name(ErrNoSource)
	}
	// There may be other parts by now, or have been none before.
	if err := i.store.Reader().WaitForJoined(ctx, resourceVersion); err != nil {
		return i.name(err)
	}
	return nil
}

// Stream returns the source that was added as name, nil if there is none.
func (i *Informer[T]) Stream(name string) *Stream[T] {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.stream(name)
}

// stream is Stream under the lock.
func (i *Informer[T]) stream(name string) *Stream[T] {
	for _, s := range i.streams {
		if s.name == name {
			return s
		}
	}
	return nil
}

// Streams returns the sources that the informer has, in the order in which they were
// added.
func (i *Informer[T]) Streams() []*Stream[T] {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.streams)
}

// look notes how far the store has followed the source, which is not being read. The
// informer's lock must not be held: a reader of the store may have to wait.
func (s *Stream[T]) look() {
	reached := s.ResourceVersion()
	s.informer.mu.Lock()
	defer s.informer.mu.Unlock()
	s.reached = reached
}

// start begins to read the source, in r, after look. The informer's lock must be held.
func (s *Stream[T]) start(r *run) {
	if s.cancel != nil || s.leaving {
		return
	}
	i := s.informer
	ctx, cancel := context.WithCancel(r.ctx)
	s.cancel = cancel
	q := queue.NewInOrder(queue.Config[types.NamespacedName, T]{
		Key: queue.ObjectKey[T], BatchSize: i.opts.batchSize,
	})
	opts := reflectorOptions[T](&i.opts)
	opts.ResourceVersion = s.reached
	opts.OnError = s.tell
	opts.Known = i.known
	opts.OnEvent = s.journal.events()
	reads := reflector.New(s.src, q, opts)
	g := &reading[T]{
		stream: s, run: r, ctx: ctx, cancel: cancel, queue: q,
		read: make(chan struct{}), release: i.observe(s.name, reads),
	}
	r.done.Go(func() { g.readInto(reads) })
	r.done.Go(g.store)
}

// end notes that the source is not read any more; if it was removed, what it had goes
// too.
func (s *Stream[T]) end(r *run) {
	i := s.informer
	i.mu.Lock()
	s.cancel = nil
	leaving := s.leaving
	i.mu.Unlock()
	if leaving {
		_ = i.turn.Lock(context.Background()) // which nobody holds who waits for a handler
		i.awaitRoom(r.ctx, s.letGoInTurn())
	}
}

// tell names the source in err, keeps it, and tells the error handler.
func (s *Stream[T]) tell(err error) { _ = s.informer.reportOf(s, err) }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
