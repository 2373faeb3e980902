// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package inbox holds the changes that wait for one handler of an informer: in order and complete
// ([Lossless]), or merged by object ([Coalescing]).
package inbox

import (
	"sync/atomic"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Reader reads the store of an informer.
type Reader[T any] = store.Reader[types.NamespacedName, T]

// Inbox holds the changes that wait for one handler. Put and List never block. The other methods but
// Full and Waiting are called by one goroutine at a time, the one that calls the handler.
type Inbox[T metav1.Object] interface {
	Put(d *Delivery[T])
	// List adds every object of a snapshot as an addition of the initial list. It is called first, if at
	// all. last says that the initial list ends with it.
	List(r Reader[T], last bool)
	// Resync adds every object of a snapshot as an update with the same object twice. The snapshot holds
	// the changes that were put, and no others.
	Resync(r Reader[T])
	// Next returns the next call to make. The call that it returned before has been made.
	Next() (c Change[T], inInitialList, ok bool)
	// Waited reports whether the last Next waited for a lock or prepared a list.
	Waited() bool
	// Settle is called when the call that Next returned has been made.
	Settle()
	// Full reports whether more changes are pending than should be.
	Full() bool
	// Waiting returns the number of pending changes, including the one that the last Next
	// returned, and the time at which the oldest came, 0 if there is none.
	Waiting() (n int, since int64)
}

// Delivery holds changes that come at once. The inboxes own its Changes together.
type Delivery[T metav1.Object] struct {
	Changes []Change[T]
	List    bool                              // the changes are from a list
	Initial bool                              // the list was the first of its source, or of a part of that
	Last    bool                              // the informer has synced with it
	Keys    map[types.NamespacedName]struct{} // scratch memory, which the caller reuses

	checked, unique bool // the result of distinct is known, and it is unique
}

// distinct reports whether there is nothing to merge in d. A list has each object once; if another
// object of that name is replaced, its deletion precedes the addition, and both are delivered.
func (d *Delivery[T]) distinct() bool {
	if d.checked {
		return d.unique
	}
	d.checked, d.unique = true, true
	if d.List || len(d.Changes) < 2 {
		return true
	}
	clear(d.Keys)
	for i := range d.Changes {
		d.Keys[keyOf(&d.Changes[i])] = struct{}{}
	}
	d.unique = len(d.Keys) == len(d.Changes)
	return d.unique
}

// Change is a change of one object, of which each handler is notified once. Old is the state of which the
// handler was last notified; see [store.Change].
type Change[T any] = store.Change[T]

// keyOf returns the key of the object that c is about.
func keyOf[T metav1.Object](c *Change[T]) types.NamespacedName {
	if c.Type == delta.Added {
		return store.KeyOf(c.New)
	}
	return store.KeyOf(c.Old)
}

// unit holds changes that came at once, or a snapshot until it is expanded into changes.
type unit[T metav1.Object] struct {
	changes  []Change[T]
	snapshot Reader[T]
	unread   bool // snapshot is not expanded yet
	at       int  // position of the next change in changes
	came     int64
	initial  bool // part of the initial list
	last     bool // the initial list ends with it

	// Of a Lossless.
	counted bool // the changes count against the limit
	list    bool // the changes of a list, which do not; see Lossless.Put
	resync  bool
	next    *unit[T]
}

// len returns the number of changes from at on.
func (u *unit[T]) len() int {
	if u.unread {
		return u.snapshot.Len()
	}
	return len(u.changes) - u.at
}

// read returns the changes of the snapshot.
func (u *unit[T]) read() []Change[T] {
	changes := make([]Change[T], 0, u.snapshot.Len())
	for obj := range u.snapshot.All() {
		c := Change[T]{New: obj, Type: delta.Added}
		if u.resync {
			c.Old, c.Type = obj, delta.Updated
		}
		changes = append(changes, c)
	}
	return changes
}

// expand replaces the snapshot with its changes.
func (u *unit[T]) expand(changes []Change[T]) {
	u.changes, u.snapshot, u.unread = changes, Reader[T]{}, false
}

// Clock measures the time since an informer was created. Reading the time costs more than most of
// the work for a change, so the changes of a batch share one reading. Create it with NewClock.
type Clock struct {
	base time.Time
	last atomic.Int64
}

// NewClock returns a clock that starts now.
func NewClock() *Clock { return &Clock{base: time.Now()} }

// Read returns the time. It is never 0.
func (c *Clock) Read() int64 { return int64(time.Since(c.base)) + 1 }

// Tick stores the current time.
func (c *Clock) Tick() { c.last.Store(c.Read()) }

// Ticked returns the time of the last Tick.
func (c *Clock) Ticked() int64 { return c.last.Load() }

// earlier returns the earlier of two times; 0 means none.
func earlier(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
