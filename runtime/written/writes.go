// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package written

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"

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

	mu      sync.Mutex
	pending map[types.NamespacedName]write
	crowded int // with more than these, those are dropped that were seen
}

// write is what has to be seen of one object.
type write struct {
	stream  string // that version is of
	version string
	deleted bool
	uid     types.UID // of what was deleted
}

// few is how many entries need no looking through.
const few = 64

// New returns a memory of writes to the objects that r reads, which must be a live reader. Of
// a cache that is fed by a set of namespaces or shards, all of them are waited for.
func New[T metav1.Object](r Reader[T]) *Writes[T] {
	return NewForSources[T](r, nil)
}

// of returns the source of obj, "" if it does not matter.
func (w *Writes[T]) of(obj T) string {
	if w.stream == nil {
		return ""
	}
	return w.stream(obj)
}

// NewForSources is New for a cache that is fed by several sources, each of which has versions
// of its own, and for one of namespaces of which only that of the object is to be waited for:
// source returns the name of the one that an object comes from. It must be pure.
func NewForSources[T metav1.Object](r Reader[T], source func(T) string) *Writes[T] {
	return &Writes[T]{reader: r, stream: source, pending: make(map[types.NamespacedName]write), crowded: few}
}

// Note remembers an object that a client has created, updated or patched, if err is nil, and
// returns both, so that it can be put around the client's call.
func (w *Writes[T]) Note(obj T, err error) (T, error) {
	if err != nil {
		return obj, err
	}
	if key, odd := queue.ObjectKey(obj); odd == nil && obj.GetResourceVersion() != "" {
		w.note(key, write{stream: w.of(obj), version: obj.GetResourceVersion()})
	}
	return obj, nil
}

// NoteDelete remembers that a client has deleted obj, of which it suffices that namespace,
// name and UID are set, if err is nil or says that there was nothing to be deleted, and
// returns err. Without a UID it is the object of that name that the cache has now.
func (w *Writes[T]) NoteDelete(obj T, err error) error {
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	key, odd := queue.ObjectKey(obj)
	if odd != nil {
		return err
	}
	d := write{stream: w.of(obj), version: obj.GetResourceVersion(), deleted: true, uid: obj.GetUID()}
	if d.uid == "" {
		if held, ok := w.reader.Get(key); ok {
			d.uid = held.GetUID()
		}
	}
	w.note(key, d)
	return err
}

// note adds to what has to be seen. A version stays until a later one takes its place:
// what was deleted must have been seen first.
func (w *Writes[T]) note(key types.NamespacedName, n write) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if before, ok := w.pending[key]; ok && before.stream == n.stream && later(before.version, n.version) {
		n.version = before.version
		if before.deleted && !n.deleted { // a reply that has come late
			n.deleted, n.uid = true, before.uid
		}
	}
	w.pending[key] = n
	if len(w.pending) > w.crowded {
		now := w.reader.Snapshot()
		maps.DeleteFunc(w.pending, func(key types.NamespacedName, n write) bool { return w.reached(now, n) && isGone(now, key, n) })
		w.crowded = max(few, 2*len(w.pending))
	}
}

// later reports whether version a is known to be later than b; any is later than none.
func later(a, b string) bool {
	if b == "" {
		return true
	}
	order, err := resourceversion.CompareResourceVersion(a, b)
	return err == nil && order > 0
}

// reached reports whether the version of n has been seen.
func (w *Writes[T]) reached(now Reader[T], n write) bool {
	at := now.ResourceVersion()
	if w.stream != nil {
		at = now.ResourceVersionOf(n.stream)
	}
	return n.version == "" || at != "" && (at == n.version || later(at, n.version))
}

// isGone reports whether the deletion that n may be of has been seen.
func isGone[T metav1.Object](now Reader[T], key types.NamespacedName, n write) bool {
	if !n.deleted {
		return true
	}
	held, ok := now.Get(key)
	return !ok || held.GetUID() != n.uid || held.GetDeletionTimestamp() != nil
}

// Pending returns of how many objects there are writes that have not been seen, as far as
// anybody has looked.
func (w *Writes[T]) Pending() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.pending)
}

// Wait returns once everything is in the cache that was noted before. It fails, and names
// the object, with ctx, with store.ErrRewound if the source has gone backward meanwhile,
// with store.ErrStreamLeft if it was removed, and at once if versions cannot be compared.
func (w *Writes[T]) Wait(ctx context.Context) error {
	w.mu.Lock()
	all := maps.Clone(w.pending)
	w.mu.Unlock()
	for key, n := range all {
		if err := w.wait(ctx, key, n); err != nil {
			return err
		}
	}
	return nil
}

// WaitFor is Wait for what was noted of one object.
func (w *Writes[T]) WaitFor(ctx context.Context, key types.NamespacedName) error {
	w.mu.Lock()
	n, ok := w.pending[key]
	w.mu.Unlock()
	if !ok {
		return nil
	}
	return w.wait(ctx, key, n)
}

func (w *Writes[T]) wait(ctx context.Context, key types.NamespacedName, n write) error {
	var err error
	if w.stream == nil {
		err = w.reader.WaitFor(ctx, n.version)
	} else {
		err = w.reader.WaitForStream(ctx, n.stream, n.version)
	}
	if err == nil && n.deleted {
		err = w.reader.WaitUntil(ctx, func(now Reader[T]) bool { return isGone(now, key, n) })
	}
	if err == nil || errors.Is(err, store.ErrRewound) || errors.Is(err, store.ErrStreamLeft) {
		w.forget(key, n)
	}
	if err != nil {
		return fmt.Errorf("%s was written, and the cache does not have it: %w", key, err)
	}
	return nil
}

// forget drops n, unless more was noted of the object.
func (w *Writes[T]) forget(key types.NamespacedName, n write) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pending[key] == n {
		delete(w.pending, key)
	}
}
