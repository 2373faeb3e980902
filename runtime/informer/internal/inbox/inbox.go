// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inbox

import (
	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Reader reads the store of an informer.
type Reader[T any] = store.Reader[types.NamespacedName, T]

// Inbox holds the changes that wait for one handler. Put and Replay never block. Next, Waited and
// Settle are called by one goroutine at a time, the one that calls the handler.
type Inbox[T metav1.Object] interface {
	Put(d *Delivery[T])
	// Replay adds every object of a snapshot: as additions of the initial list if initial is
	// set, and as updates with the same object twice otherwise. last says that the initial list
	// ends with it.
	Replay(r Reader[T], initial, last bool)
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

// Delivery holds changes that come at once. It may be reused after every inbox has it, but its Changes
// may not: the inboxes own them together.
type Delivery[T metav1.Object] struct {
	Changes []Change[T]
	List    bool // the changes are from a list
	Initial bool // the list was the first of its source
	Last    bool // the informer has synced with it

	checked, unique bool // the result of distinct is known, and it is unique
	keys            map[types.NamespacedName]struct{}
}

// Reset prepares d for other changes.
func (d *Delivery[T]) Reset() { *d = Delivery[T]{keys: d.keys} }

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
	if d.keys == nil {
		d.keys = make(map[types.NamespacedName]struct{}, len(d.Changes))
	}
	clear(d.keys)
	for i := range d.Changes {
		d.keys[keyOf(&d.Changes[i])] = struct{}{}
	}
	d.unique = len(d.keys) == len(d.Changes)
	return d.unique
}

// unit holds changes that came at once, or a snapshot until it is expanded into changes.
type unit[T metav1.Object] struct {
	changes  []Change[T]
	snapshot Reader[T]
	unread   bool // snapshot is not expanded yet
	at       int  // position of the next change in changes
	came     int64
	counted  bool     // the changes count against the limit of a Lossless
	list     bool     // the changes of a list, which do not; see Lossless.Put
	resync   bool     // from a Replay that is not initial
	initial  bool     // part of the initial list
	last     bool     // the initial list ends with it
	next     *unit[T] // in a Lossless

	// after and skip are for resyncs in a Coalescing. after is the number of the last entry when the
	// resync was queued. skip has the objects whose entries had a number up to after and were delivered
	// or canceled since; the resync leaves them out.
	after int
	skip  map[types.NamespacedName]struct{}
}

// newReplay returns a unit for the objects of a snapshot.
func newReplay[T metav1.Object](r Reader[T], initial, last bool, came int64) *unit[T] {
	return &unit[T]{snapshot: r, unread: true, initial: initial, resync: !initial, last: last, came: came}
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
