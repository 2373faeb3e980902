// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// entry merges the changes of one object since the handler was last notified of it.
type entry[T metav1.Object] struct {
	seq     int
	known   bool // the handler knows the object, in the state seen
	seen    T
	gone    bool // the object that the handler knows was deleted; final is that deletion
	final   store.Change[T]
	exists  bool // an object of that name exists, in the state now
	now     T
	initial bool // part of the initial list
}

// merge merges the next change into e.
func (e *entry[T]) merge(c *store.Change[T]) {
	var none T
	recreated := e.known && !e.gone && store.CompareObjects(e.seen, c.New) == store.Recreated
	e.exists, e.now = c.Type != store.Deleted, c.New
	if !e.exists {
		e.now = none
	}
	switch {
	case e.gone || !e.known: // the handler knows only the first object, or none
	case recreated: // a state in between had no UID
		e.gone, e.final = true, store.Lost(e.seen, max(c.Cause, store.FinalStateUnknown))
	case !e.exists:
		e.gone, e.final = true, *c
		e.final.Old = e.seen
	}
}

// next returns the next change, and whether it is the last of e. If an object was deleted and created again,
// the deletion comes first.
func (e *entry[T]) next() (c store.Change[T], last bool) {
	switch {
	case e.gone:
		c = e.final
		var none T
		e.known, e.seen, e.gone, e.final = false, none, false, store.Change[T]{}
		return c, !e.exists
	case e.known:
		return store.Change[T]{Old: e.seen, New: e.now, Type: store.Updated}, true
	}
	return store.Change[T]{New: e.now, Type: store.Added}, true
}

// recent knows in which deliveries objects have changed. It finds repeated objects once for each delivery, not
// once for each handler.
type recent[T metav1.Object] struct {
	number    int // of the last delivery
	forgotten int // of the last delivery with objects that may not be in last
	last      map[types.NamespacedName]int
}

// maxRecent bounds the objects that a recent remembers.
const maxRecent = 10_000

// count numbers d, and sets d.repeats. A list has each object once; if another object of that name is replaced,
// its deletion precedes the addition, and both are delivered.
func (r *recent[T]) count(d *Delivery[T]) {
	r.number++
	d.number, d.repeats = r.number, r.forgotten
	if d.List || len(r.last)+len(d.Changes) > maxRecent {
		clear(r.last)
		r.forgotten, d.repeats = r.number-1, r.number-1
		if d.List {
			r.forgotten = r.number
			return
		}
	}
	for i := range d.Changes {
		key := keyOf(&d.Changes[i])
		d.repeats = max(d.repeats, r.last[key])
		r.last[key] = r.number
	}
}

// keyOf returns the key of the object that c is about.
func keyOf[T metav1.Object](c *store.Change[T]) types.NamespacedName {
	if c.Type == store.Added {
		return store.KeyOf(c.New)
	}
	return store.KeyOf(c.Old)
}
