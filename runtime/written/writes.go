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

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Reader reads a cache. Emitted listers return one from their method Reader.
type Reader[T metav1.Object] = store.Reader[types.NamespacedName, T]

// Writes remembers writes to the objects of one cache. Its methods are safe for concurrent
// use.
type Writes[T metav1.Object] struct {
	reader Reader[T]

	mu       sync.Mutex
	pending  map[types.NamespacedName]*write // entries are replaced, never changed
	unpruned int                             // notes until the next pruning
	lost     error                           // the first error of entries dropped by pruning
}

// write is the state of one object that the cache has to reach.
type write struct {
	version   string
	mustExist bool        // the object was written without a version: it must exist
	epoch     store.Epoch // of version
	wrote     types.UID   // of the last written object, if known
	deleted   []types.UID // of deleted objects; replaced, never changed
}

// pruneAbove is the number of entries up to which nothing is pruned.
const pruneAbove = 64

// New returns an empty Writes for the cache of r, which must be a live reader. If several
// namespaces or shards feed the cache, a wait waits for all of them.
func New[T metav1.Object](r Reader[T]) *Writes[T] {
	return &Writes[T]{reader: r, pending: make(map[types.NamespacedName]*write), unpruned: pruneAbove}
}

// Note remembers that a client created, updated or patched obj, if err is nil. It returns its
// arguments, so that a client's call can be its argument. For an object without a
// resourceVersion see the documentation of the package.
func (w *Writes[T]) Note(obj T, err error) (T, error) {
	if err != nil {
		return obj, err
	}
	if key, err := delta.KeyOf(obj); err == nil {
		version := obj.GetResourceVersion()
		w.note(key, write{version: version, mustExist: version == "", epoch: w.reader.Epoch(), wrote: obj.GetUID()})
	}
	return obj, nil
}

// NoteDelete remembers that a client deleted obj, if err is nil or a NotFound error, and returns
// err. obj needs only its namespace, name and UID. Without a UID, the deleted object is the
// later of the last noted and the cached object with this name.
func (w *Writes[T]) NoteDelete(obj T, err error) error {
	if err == nil || apierrors.IsNotFound(err) {
		w.noteDelete(obj)
	}
	return err
}

func (w *Writes[T]) noteDelete(obj T) {
	key, err := delta.KeyOf(obj)
	if err != nil {
		return
	}
	uid := obj.GetUID()
	if uid == "" {
		uid = w.present(key)
	}
	w.note(key, write{version: obj.GetResourceVersion(), epoch: w.reader.Epoch(), deleted: []types.UID{uid}})
}

// present returns the UID of the current object with this name: the cached one or the last
// noted one, whichever is later. It returns "" if neither is known.
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

// note merges n with the pending write of key.
func (w *Writes[T]) note(key types.NamespacedName, n write) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if before, ok := w.pending[key]; ok {
		n = n.after(*before)
	}
	if len(n.deleted) > pruneAbove {
		n.deleted = slices.DeleteFunc(slices.Clone(n.deleted), func(uid types.UID) bool {
			done, _ := seen(w.reader, key, &write{version: n.version, epoch: n.epoch, deleted: []types.UID{uid}})
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
		w.unpruned = max(pruneAbove, len(w.pending)) // so that pruning costs little per note
	}
}

// after merges n with an earlier note. A reply may be noted late, so the later version wins, and a
// deleted UID stays deleted. A note from before the source went back is dropped.
func (n write) after(before write) write {
	if n.epoch != before.epoch {
		return n
	}
	isLate := n.version != "" && later(before.version, n.version)
	if n.version == "" || isLate {
		n.version = before.version
	}
	if n.wrote == "" || isLate && before.wrote != "" {
		n.wrote = before.wrote
	}
	n.deleted = slices.Concat(before.deleted, n.deleted)
	if n.mustExist && slices.Contains(n.deleted, n.wrote) {
		if n.mustExist = n.wrote == ""; n.mustExist { // possibly created again
			n.deleted = slices.DeleteFunc(n.deleted, func(uid types.UID) bool { return uid == "" })
		}
	}
	return n
}

// Pending returns the number of objects with writes that no wait and no pruning has found in the
// cache.
func (w *Writes[T]) Pending() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.pending)
}

// Wait returns when the cache contains all writes noted before the call. Its error names an
// object. It fails
//
//   - when ctx ends; the error includes the last error of the informer;
//   - with store.ErrRewound if the source has gone back, as after a restore from a backup;
//   - when the informer has stopped, and when versions have no order.
//
// An error that a write will never be seen is returned once, and all such writes are forgotten.
// Give Wait a context with a deadline.
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

// forgetLost drops the writes that will never be seen. One error stands for all of them.
func (w *Writes[T]) forgetLost(all map[types.NamespacedName]*write) {
	now := w.reader.Snapshot()
	for key, n := range all {
		if _, err := now.Reached(n.epoch, n.version); errors.Is(err, store.ErrRewound) {
			w.forget(key, n)
		}
	}
}

// WaitFor is like Wait for one object.
func (w *Writes[T]) WaitFor(ctx context.Context, key types.NamespacedName) error {
	w.mu.Lock()
	n, ok := w.pending[key]
	lost := w.lost
	if !ok {
		w.lost = nil // the error may be about this object
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
	if errors.Is(err, store.ErrAbsent) && n.isDeletion() && deletionsSeen(w.reader, key, n) {
		err = nil // an absent type has no objects
	}
	if err == nil || errors.Is(err, store.ErrRewound) {
		w.forget(key, n)
	}
	if err != nil {
		return unseen(key, err)
	}
	return nil
}

// unseen returns err with the object.
func unseen(key types.NamespacedName, err error) error {
	return fmt.Errorf("wait until the cache contains the write of %s: %w", key, err)
}

// forget drops n, unless the object has been noted again.
func (w *Writes[T]) forget(key types.NamespacedName, n *write) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pending[key] == n {
		delete(w.pending, key)
	}
}
