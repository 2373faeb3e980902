// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type (
	deltas[T any]      = queue.Batch[types.NamespacedName, T]
	delta[T any]       = queue.Delta[types.NamespacedName, T]
	storeChange[T any] = store.Change[types.NamespacedName, T]
)

// call notifies h of c.
func call[T metav1.Object](h Handler[T], c inbox.Change[T], inInitialList bool) {
	switch c.Kind {
	case inbox.Added:
		h.OnAdd(c.New, inInitialList)
	case inbox.Updated:
		h.OnUpdate(c.Old, c.New)
	default:
		h.OnDelete(Tombstone[T]{
			Key: store.KeyOf(c.Old), Object: c.New, Last: c.Old,
			FinalStateUnknown: c.Kind != inbox.Deleted, Left: c.Kind == inbox.Released,
		})
	}
}

// changesOf returns the changes of which handlers are notified for a batch. done are the changes
// of the store. An object that a list or watch repeats unchanged is not a change.
func changesOf[T metav1.Object](b *deltas[T], done []storeChange[T]) []inbox.Change[T] {
	out := make([]inbox.Change[T], 0, len(done))
	next := 0 // position of the next delta in b
	var became [together]comparison
	for n := range done {
		c := &done[n]
		if n%together == 0 {
			compare(done[n:min(n+together, len(done))], &became)
		}
		var from *delta[T] // the cause of the change
		if !b.Replace {    // a list has no deltas with final states
			from, next = madeBy(b, next, c)
		}
		switch {
		case c.HasNew && !c.HadOld:
			out = append(out, inbox.Change[T]{New: c.New, Kind: inbox.Added})
		case c.HasNew:
			out = appendUpdate(out, c.Old, c.New, became[n%together])
		case from == nil || from.NoObject || from.FinalStateUnknown || inbox.Another(c.Old, from.Object):
			out = append(out, inbox.Change[T]{Old: c.Old, New: c.Old, Kind: inbox.DeletedUnseen})
		default:
			out = append(out, inbox.Change[T]{Old: c.Old, New: from.Object, Kind: inbox.Deleted})
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// madeBy returns the delta at or after next that caused c, and the position after it. Every delta
// with an object causes a change; a deletion may cause none.
func madeBy[T any](b *deltas[T], next int, c *storeChange[T]) (*delta[T], int) {
	for ; next < len(b.Deltas); next++ {
		d := &b.Deltas[next]
		if d.Type == queue.Stale || d.Type == queue.Sync {
			continue
		}
		if d.Key == c.Key && (d.Type == queue.Deleted) != c.HasNew {
			return d, next + 1
		}
	}
	return nil, next
}

// appendUpdate appends the changes from old to new: none, an update, or, if they are two objects
// of one name, a deletion and an addition.
func appendUpdate[T metav1.Object](out []inbox.Change[T], old, new T, found comparison) []inbox.Change[T] {
	switch {
	case found.another:
		return append(out,
			inbox.Change[T]{Old: old, New: old, Kind: inbox.DeletedUnseen},
			inbox.Change[T]{New: new, Kind: inbox.Added})
	case found.oneVersion && equal(old, new):
		return out
	}
	return append(out, inbox.Change[T]{Old: old, New: new, Kind: inbox.Updated})
}

// together is the number of objects that are compared at once.
const together = 16

// comparison compares an object with the one that it replaces, without comparing all fields.
type comparison struct {
	another    bool // they are two objects of one name
	oneVersion bool // they have one version
}

// compare compares the new and old objects of at most together changes. Their strings are rarely
// in the processor's cache; comparing several in a row lets the cache misses overlap.
func compare[T metav1.Object](done []store.Change[types.NamespacedName, T], found *[together]comparison) {
	for i := range done {
		c := &done[i]
		found[i].another = c.HadOld && c.HasNew && inbox.Another(c.Old, c.New)
	}
	for i := range done {
		c := &done[i]
		found[i].oneVersion = c.HadOld && c.HasNew && c.Old.GetResourceVersion() == c.New.GetResourceVersion()
	}
}

// equal reports whether old and new are the same state of an object. Equal versions do not prove
// it: a restored server reuses versions. Objects without a version are never equal.
func equal[T metav1.Object](old, new T) bool {
	rv := new.GetResourceVersion()
	return rv != "" && rv == old.GetResourceVersion() && old.GetUID() == new.GetUID() &&
		(same(old, new) || reflect.DeepEqual(old, new))
}

// same reports whether old and new are the same pointer. Values may not be comparable.
func same[T any](old, new T) bool {
	return reflect.TypeFor[T]().Kind() == reflect.Pointer && any(old) == any(new)
}

// held returns the object in the store if it equals the object of d, and the latter otherwise.
func (i *Informer[T]) held(d *queue.Delta[types.NamespacedName, T]) T {
	if old, ok := i.store.Reader().Get(d.Key); ok && equal(old, d.Object) {
		return old
	}
	return d.Object
}

// known returns the object in the store. It does not search an empty store, as during the first
// list.
func (i *Informer[T]) known(key types.NamespacedName) (obj T, ok bool) {
	r := i.store.Reader()
	if r.Len() == 0 {
		return obj, false
	}
	return r.Get(key)
}
