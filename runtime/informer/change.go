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

// call makes the handler's call for c.
func call[T metav1.Object](h Handler[T], c inbox.Change[T], inInitialList bool) {
	switch c.Kind {
	case inbox.Added:
		h.OnAdd(c.New, inInitialList)
	case inbox.Updated:
		h.OnUpdate(c.Old, c.New)
	case inbox.Deleted:
		h.OnDelete(Tombstone[T]{Key: store.KeyOf(c.Old), Object: c.New, Last: c.Old})
	case inbox.DeletedUnseen:
		h.OnDelete(Tombstone[T]{Key: store.KeyOf(c.Old), Object: c.New, Last: c.Old, FinalStateUnknown: true})
	case inbox.Released:
		h.OnDelete(Tombstone[T]{Key: store.KeyOf(c.Old), Object: c.New, Last: c.Old, FinalStateUnknown: true, Left: true})
	}
}

// changesOf returns what handlers are to be told of a batch, given what it did to the
// store. What a list, or a watch that repeats itself, has found unchanged is nothing
// to tell.
func changesOf[T metav1.Object](b *queue.Batch[types.NamespacedName, T], done []store.Change[types.NamespacedName, T]) []inbox.Change[T] {
	out := make([]inbox.Change[T], 0, len(done))
	next := 0 // the delta that comes after those that were looked at
	var became [together]comparison
	for n := range done {
		c := &done[n]
		if n%together == 0 {
			compare(done[n:min(n+together, len(done))], &became)
		}
		var from *queue.Delta[types.NamespacedName, T] // that the change comes from
		if !b.Replace {                                // those of a list need not be found
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

// madeBy returns the delta, at next or after it, that made the change c, and where to go
// on. Every delta with an object makes a change; one that deletes need not.
func madeBy[T any](b *queue.Batch[types.NamespacedName, T], next int, c *store.Change[types.NamespacedName, T]) (*queue.Delta[types.NamespacedName, T], int) {
	for ; next < len(b.Deltas); next++ {
		d := &b.Deltas[next]
		if d.Key == c.Key && d.Type != queue.Stale && d.Type != queue.Sync && (d.Type == queue.Deleted) != c.HasNew {
			return d, next + 1
		}
	}
	return nil, next
}

// appendUpdate appends what happened when old became new: nothing, an update, or, if
// they are two objects of one name, a deletion that was not seen, and an addition.
func appendUpdate[T metav1.Object](out []inbox.Change[T], old, new T, found comparison) []inbox.Change[T] {
	switch {
	case found.another:
		return append(out, inbox.Change[T]{Old: old, New: old, Kind: inbox.DeletedUnseen}, inbox.Change[T]{New: new, Kind: inbox.Added})
	case found.oneVersion && equal(old, new):
		return out
	}
	return append(out, inbox.Change[T]{Old: old, New: new, Kind: inbox.Updated})
}

// together is of how many objects at once the UIDs and versions are compared.
const together = 16

// comparison is what is cheap to say of an object and the one that takes its place.
type comparison struct {
	another    bool // they are two objects of one name
	oneVersion bool // they have one version
}

// compare compares, for at most together changes, what is new with what it has replaced.
// The strings are in memory that nobody has looked at for long, and waiting for those of
// several changes at once takes little longer than for those of one.
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

// equal reports whether old and new are the same state of an object. Of one version
// there may be two: a server that was restored from a backup gives versions out again,
// and somebody may have written to what is in the store. Objects without a version are
// always news.
func equal[T metav1.Object](old, new T) bool {
	rv := new.GetResourceVersion()
	return rv != "" && rv == old.GetResourceVersion() && old.GetUID() == new.GetUID() &&
		(same(old, new) || reflect.DeepEqual(old, new))
}

// same reports whether old and new are one object in memory, as far as that is cheap to
// say: a pointer. Values may be of a type that cannot be compared.
func same[T any](old, new T) bool {
	return reflect.TypeFor[T]().Kind() == reflect.Pointer && any(old) == any(new)
}

// held returns the object of d, or what the store holds if that is equal: handlers
// know it, and somebody else may too.
func (i *Informer[T]) held(d *queue.Delta[types.NamespacedName, T]) T {
	if old, ok := i.store.Reader().Get(d.Key); ok && equal(old, d.Object) {
		return old
	}
	return d.Object
}

// known returns what the store holds of key. Of an empty one, as it is during the first
// list, that is not looked for.
func (i *Informer[T]) known(key types.NamespacedName) (obj T, ok bool) {
	r := i.store.Reader()
	if r.Len() == 0 {
		return obj, false
	}
	return r.Get(key)
}
