// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package trigger

import (
	"context"
	"iter"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

// Key is the namespace and name of an object. Cluster-scoped objects have no namespace.
type Key = types.NamespacedName

// Trigger yields the keys of the objects of type T that changes concern. Create it with For, add edges
// with On, OnRefs and OnShared, and range over Keys.
type Trigger[T metav1.Object] struct {
	own *Edge[T, T]
	all *edges
}

// For returns a trigger for the objects of i. An object's own changes concern it.
func For[T metav1.Object](i informer.Interface[T]) *Trigger[T] {
	t := &Trigger[T]{all: &edges{}}
	t.own = &Edge[T, T]{from: i, to: t}
	t.own.find = func(c change[T], concern func(object[T])) { concern(object[T]{key: c.key}) }
	t.own.name = t.all.add(t.own, i.Resource().Resource)
	return t
}

// Changed drops own updates of T for which changed returns false, such as those of the status. It never
// drops an update that changes a reference along which an edge to T leads. Call it before Keys.
func (t *Trigger[T]) Changed(changed func(old, new T) bool) *Trigger[T] {
	t.own.Changed(changed)
	return t
}

// Keys yields the keys of the objects that changes concern, with the causes. The first keys are those of
// the initial lists; they come when the trigger has seen all of these. A key is pending at most
// once, however many changes concern it. A change during the loop body of a key makes it pending again.
//
// The sequence ends when ctx ends, or when an informer stops before it has synced. Several loops may range over Keys at
// the same time. They share the keys, and each key is in one loop body at a time. After the last loop, the
// handlers are removed and pending keys are dropped. A function of Changed or If may
// still be running then. The next loop begins with the initial lists again.
func (t *Trigger[T]) Keys(ctx context.Context) iter.Seq2[Key, Causes] {
	return func(yield func(Key, Causes) bool) {
		r := t.all.begin()
		defer t.all.end(r)
		for _, h := range r.handlers() {
			if h.WaitForSync(ctx) != nil {
				return // WaitForSync of the trigger says why
			}
		}
		for {
			e, causes := r.take(ctx)
			if e == nil || !r.handle(e, causes, yield) {
				return
			}
		}
	}
}

// WaitForSync waits until every informer of the trigger has synced. If ctx ends first, the error names an
// informer that has not synced, and says why.
func (t *Trigger[T]) WaitForSync(ctx context.Context) error {
	for _, e := range t.all.snapshot() {
		if err := e.waitForSync(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Stats returns the statistics of each edge. The first are those of the own changes of T.
func (t *Trigger[T]) Stats() []EdgeStats {
	var stats []EdgeStats
	for _, e := range t.all.snapshot() {
		stats = append(stats, e.stats())
	}
	return stats
}

// Target is where an edge leads: to a *Trigger of T, or by an *Edge from T further on. No other type
// implements it.
type Target[T metav1.Object] interface {
	// concern passes on that a change concerns t.
	concern(t object[T], delay time.Duration, arrive arrive)
	// lookup returns the object of a key.
	lookup(key Key) object[T]
	// letThrough adds a condition under which Changed drops no update of T.
	letThrough(moved func(old, new T) bool)
	// describe names the way from T on.
	describe() string
	// edges returns the edges of the trigger.
	edges() *edges
}

func (t *Trigger[T]) concern(obj object[T], delay time.Duration, arrive arrive) {
	arrive(obj.key, delay)
}
func (t *Trigger[T]) lookup(key Key) object[T]               { return t.own.lookup(key) }
func (t *Trigger[T]) letThrough(moved func(old, new T) bool) { t.own.letThrough(moved) }
func (t *Trigger[T]) describe() string                       { return t.own.name }
func (t *Trigger[T]) edges() *edges                          { return t.all }
