// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package written

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Reader is what a cache is read through; listers have a method of that name.
type Reader[T metav1.Object] = store.Reader[types.NamespacedName, T]

// Writes remembers what was written to the objects of one cache. Its methods are safe for
// concurrent use.
type Writes[T metav1.Object] struct {
	reader Reader[T]
	stream func(T) string // nil: there is one source, or some of one server

	mu       sync.Mutex
	pending  map[types.NamespacedName]*write // replaced, never changed
	unpruned int                             // notes until those that were seen are dropped
	lost     error                           // why some were dropped that will not be
}

// write is what has to be seen of one object.
type write struct {
	version string
	there   bool        // the object is to be there: it was written, and has no version
	mark    store.Mark  // of what version belongs to
	wrote   types.UID   // of what was written last, as far as it is known
	gone    []types.UID // of what was deleted; replaced, never changed
}

// few is how many entries need no looking through.
const few = 64

// New returns a memory of writes to the objects that r reads, which must be a live reader. Of
// a cache that is fed by a set of namespaces or shards, all of them are waited for.
func New[T metav1.Object](r Reader[T]) *Writes[T] {
	return NewForSources[T](r, nil)
}

// mark returns what a version of obj belongs to.
func (w *Writes[T]) mark(obj T) store.Mark {
	if w.stream == nil {
		return w.reader.Mark()
	}
	return w.reader.MarkOf(w.stream(obj))
}

// NewForSources is New for a cache that is fed by several sources, each of which has versions
// of its own, and for one of namespaces of which only that of the object is to be waited for:
// source returns the name of the one that an object comes from. It must be pure.
func NewForSources[T metav1.Object](r Reader[T], source func(T) string) *Writes[T] {
	return &Writes[T]{reader: r, stream: source, pending: make(map[types.NamespacedName]*write), unpruned: few}
}

// Note remembers an object that a client has created, updated or patched, if err is nil, and
// returns both, so that it can be put around the client's call. Of an object without a
// resourceVersion, it is that it is there; see the package's documentation.
func (w *Writes[T]) Note(obj T, err error) (T, error) {
	if err != nil {
		return obj, err
	}
	if key, odd := queue.ObjectKey(obj); odd == nil {
		version := obj.GetResourceVersion()
		w.note(key, write{version: version, there: version == "", mark: w.mark(obj), wrote: obj.GetUID()})
	}
	return obj, nil
}

// NoteDelete remembers that a client has deleted obj, of which it suffices that namespace,
// name and UID are set, if err is nil or says that there was nothing to be deleted, and
// returns err. Without a UID it is the object of that name that was noted last or that the
// cache has now, whichever is later.
func (w *Writes[T]) NoteDelete(obj T, err error) error {
	if err == nil || apierrors.IsNotFound(err) {
		w.noteDelete(obj)
	}
	return err
}

// NoteDeleteCollection is NoteDelete for each of objs, the items of the list that an API
// server answers DeleteCollection with, if err is nil. Clients that client-gen writes do not
// return that list; a REST client does, of which Do(ctx).Into(&list) reads it.
func (w *Writes[T]) NoteDeleteCollection(objs []T, err error) error {
	if err == nil {
		for _, obj := range objs {
			w.noteDelete(obj)
		}
	}
	return err
}

func (w *Writes[T]) noteDelete(obj T) {
	key, odd := queue.ObjectKey(obj)
	if odd != nil {
		return
	}
	uid := obj.GetUID()
	if uid == "" {
		uid = w.present(key)
	}
	w.note(key, write{version: obj.GetResourceVersion(), mark: w.mark(obj), gone: []types.UID{uid}})
}

// present returns the UID of the object that has a name, as far as anybody here knows.
func (w *Writes[T]) present(key types.NamespacedName) types.UID {
	held, ok := w.reader.Get(key)
	w.mu.Lock()
	var n write
	if pending, ok := w.pending[key]; ok {
		n = *pending
	}
	w.mu.Unlock()
	if ok && (n.wrote == "" || later(held.GetResourceVersion(), n.version)) {
		return held.GetUID()
	}
	return n.wrote
}

// note adds to what has to be seen.
func (w *Writes[T]) note(key types.NamespacedName, n write) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if before, ok := w.pending[key]; ok {
		n = n.after(*before)
	}
	if len(n.gone) > few {
		n.gone = slices.DeleteFunc(slices.Clone(n.gone), func(uid types.UID) bool {
			done, _ := seen(w.reader, key, &write{version: n.version, mark: n.mark, gone: []types.UID{uid}})
			return done
		})
	}
	w.pending[key] = &n
	if w.unpruned--; w.unpruned == 0 {
		now := w.reader.Snapshot()
		maps.DeleteFunc(w.pending, func(key types.NamespacedName, n *write) bool {
			done, err := seen(now, key, n)
			if err != nil && w.lost == nil {
				w.lost = unseen(key, err)
			}
			return done || err != nil
		})
		w.unpruned = max(few, len(w.pending)) // so that pruning costs little per note
	}
}

// after returns what has to be seen of both n and before, that was noted before it. A
// version stays until a later one takes its place: a reply may be noted late. What was
// deleted stays deleted. What was noted before the source has gone backward counts no more.
func (n write) after(before write) write {
	if n.mark != before.mark {
		return n
	}
	isLate := n.version != "" && later(before.version, n.version)
	if n.version == "" || isLate {
		n.version = before.version
	}
	if n.wrote == "" || isLate && before.wrote != "" {
		n.wrote = before.wrote
	}
	n.gone = slices.Concat(before.gone, n.gone)
	if n.there && slices.Contains(n.gone, n.wrote) {
		if n.there = n.wrote == ""; n.there { // created again, as far as anybody can tell
			n.gone = slices.DeleteFunc(n.gone, func(uid types.UID) bool { return uid == "" })
		}
	}
	return n
}

// Pending returns of how many objects there are writes that have not been seen, as far as
// anybody has looked.
func (w *Writes[T]) Pending() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.pending)
}

// Wait returns once everything is in the cache that was noted before. It fails, and names
// the object, with ctx, and then says the last error of the informer that fills the cache;
// with store.ErrRewound if the source has gone backward since, so that
// nobody knows what has become of the write; with store.ErrStreamLeft if it was removed; when
// nobody fills the cache any more; and at once if versions cannot be compared. With the
// error that something will never be seen, all is forgotten that will not be. Give it a ctx
// that ends.
func (w *Writes[T]) Wait(ctx context.Context) error {
	w.mu.Lock()
	all, lost := maps.Clone(w.pending), w.lost
	w.lost = nil
	w.mu.Unlock()
	if lost != nil {
		return lost
	}
	for key, n := range all {
		if err := w.wait(ctx, key, n); err != nil {
			w.forgetLost(all)
			return err
		}
	}
	return nil
}

// forgetLost drops what will never be seen: one error says that of all.
func (w *Writes[T]) forgetLost(all map[types.NamespacedName]*write) {
	now := w.reader.Snapshot()
	for key, n := range all {
		if _, err := now.Reached(n.mark, n.version); isFinal(err) {
			w.forget(key, n)
		}
	}
}

// isFinal reports whether what has failed with err will never be seen.
func isFinal(err error) bool {
	return errors.Is(err, store.ErrRewound) || errors.Is(err, store.ErrStreamLeft)
}

// WaitFor is Wait for what was noted of one object.
func (w *Writes[T]) WaitFor(ctx context.Context, key types.NamespacedName) error {
	w.mu.Lock()
	n, ok := w.pending[key]
	lost := w.lost
	if !ok {
		w.lost = nil // it may have been this one
	}
	w.mu.Unlock()
	if !ok {
		return lost
	}
	return w.wait(ctx, key, n)
}

func (w *Writes[T]) wait(ctx context.Context, key types.NamespacedName, n *write) error {
	var never error
	err := w.reader.WaitUntil(ctx, func(now Reader[T]) (done bool) {
		done, never = seen(now, key, n)
		return done || never != nil
	})
	if err == nil {
		err = never
	}
	if err == nil || isFinal(err) {
		w.forget(key, n)
	}
	if err != nil {
		return unseen(key, err)
	}
	return nil
}

// unseen says that a write was not seen, and why.
func unseen(key types.NamespacedName, err error) error {
	if errors.Is(err, store.ErrWhichStream) {
		return fmt.Errorf("%s was written, and nobody knows when the cache has it: %w; "+
			"or of Writes, make them by NewForSources", key, err)
	}
	return fmt.Errorf("%s was written, and the cache does not have it: %w", key, err)
}

// forget drops n, unless more was noted of the object.
func (w *Writes[T]) forget(key types.NamespacedName, n *write) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pending[key] == n {
		delete(w.pending, key)
	}
}
