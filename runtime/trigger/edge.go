// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package trigger

import (
	"context"
	"iter"
	"slices"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Edge leads from the changes of objects of type S to the objects of type T that they concern. Call
// its methods Changed, If and After before Keys.
type Edge[S, T metav1.Object] struct {
	name string
	from informer.Interface[S]
	find find[S, T]
	to   Target[T]

	changed   func(old, new S) bool
	moved     []func(old, new S) bool
	condition func(s S, t T) bool
	delay     time.Duration

	counters counters
}

// find calls concern for each object that a change concerns.
type find[S, T metav1.Object] func(c change[S], concern func(t object[T]))

// object is an object, or the key of one that is not in the cache.
type object[T metav1.Object] struct {
	key   Key
	state T
	known bool // state is set
}

// change has the states of an object before and after a change: one for an addition or a deletion,
// and none if a hop leads to an object that is not in the cache.
type change[S metav1.Object] struct {
	key    Key
	states []S
}

// connect adds an edge to the trigger of to.
func connect[S, T metav1.Object](to Target[T], from informer.Interface[S], find find[S, T]) *Edge[S, T] {
	e := &Edge[S, T]{from: from, find: find, to: to}
	e.name = to.edges().add(e, from.Resource().Resource+" → "+to.describe())
	return e
}

// Changed drops updates for which changed returns false. Additions and deletions always count. So do
// updates that change a reference along which an edge to S, or this edge, leads.
func (e *Edge[S, T]) Changed(changed func(old, new S) bool) *Edge[S, T] {
	e.changed = changed
	return e
}

// If drops the keys for which condition returns false. s is the object that changed and t the one
// that it concerns. For an update, one of the states of s must meet the condition. If t is not in the
// cache, If does not apply. The condition must not depend on fields of t that the reconciler writes: the
// cache may not have its last write yet. Own changes of the fields on which it depends must pass
// [Trigger.Changed], or what happened while they did not meet the condition is missed.
func (e *Edge[S, T]) If(condition func(s S, t T) bool) *Edge[S, T] {
	e.condition = condition
	return e
}

// After yields the keys of this edge only after delay, so that several changes are reconciled together. A
// change during the delay does not prolong it. A change along an edge without a delay ends it.
func (e *Edge[S, T]) After(delay time.Duration) *Edge[S, T] {
	e.delay = delay
	return e
}

// Concerned yields the keys of the objects that a change of s concerns, without the delay. A key to which
// s leads in two ways comes twice. Use it for events of S that come from elsewhere, with both states
// of an update; it needs no loop over Keys.
func (e *Edge[S, T]) Concerned(s S) iter.Seq[Key] {
	return func(yield func(Key) bool) {
		more := true
		e.spread(change[S]{store.KeyOf(s), []S{s}}, 0, func(key Key, _ time.Duration) {
			more = more && yield(key)
		})
	}
}

// spread calls arrive for each key of the trigger to which the change leads.
func (e *Edge[S, T]) spread(c change[S], delay time.Duration, arrive arrive) {
	e.find(c, func(t object[T]) {
		if e.meets(c, t) {
			e.to.concern(t, delay+e.delay, arrive)
		} else {
			e.counters.unmet.Add(1)
		}
	})
}

// arrive is called with a key of the trigger and the delay of the way to it.
type arrive func(key Key, delay time.Duration)

func (e *Edge[S, T]) meets(c change[S], t object[T]) bool {
	return e.condition == nil || !t.known || len(c.states) == 0 ||
		slices.ContainsFunc(c.states, func(s S) bool { return e.condition(s, t.state) })
}

// An Edge is the Target of edges to S.
func (e *Edge[S, T]) concern(s object[S], delay time.Duration, arrive arrive) {
	c := change[S]{key: s.key}
	if s.known {
		c.states = []S{s.state}
	}
	e.spread(c, delay, arrive)
}

func (e *Edge[S, T]) lookup(key Key) object[S] {
	s, ok := e.from.Store().Reader().Get(key)
	return object[S]{key, s, ok}
}

func (e *Edge[S, T]) letThrough(moved func(old, new S) bool) { e.moved = append(e.moved, moved) }
func (e *Edge[S, T]) describe() string                       { return e.name }
func (e *Edge[S, T]) edges() *edges                          { return e.to.edges() }

// listen adds a lossless handler that puts the keys of each change into q.
func (e *Edge[S, T]) listen(q *queue) *informer.Registration {
	return e.from.AddEventHandler(handler[S, T]{e, q}, informer.WithHandlerName("trigger "+e.name))
}

func (e *Edge[S, T]) waitForSync(ctx context.Context) error { return e.from.WaitForSync(ctx) }

func (e *Edge[S, T]) stats() EdgeStats { return e.counters.stats(e.name) }

// handler looks up whom a change concerns in the call of the handler. Only keys are merged, so that no
// change is lost.
type handler[S, T metav1.Object] struct {
	*Edge[S, T]
	queue *queue
}

func (h handler[S, T]) OnAdd(s S, inInitialList bool) { h.on(inInitialList, s) }

func (h handler[S, T]) OnUpdate(old, s S) {
	if h.changed != nil && !h.changed(old, s) &&
		!slices.ContainsFunc(h.moved, func(moved func(old, new S) bool) bool { return moved(old, s) }) {
		h.counters.unchanged.Add(1)
		return
	}
	h.on(false, s, old)
}

func (h handler[S, T]) OnDelete(t informer.Tombstone[S]) { h.on(false, t.Object) }

func (h handler[S, T]) on(initial bool, states ...S) {
	key := store.KeyOf(states[0])
	h.spread(change[S]{key, states}, 0, func(to Key, delay time.Duration) {
		if h.queue.add(to, Cause{Edge: h.name, Key: key, Initial: initial, Count: 1}, delay) {
			h.counters.merged.Add(1)
		} else {
			h.counters.delivered.Add(1)
		}
	})
}

// counters count what became of the changes of an edge.
type counters struct{ delivered, merged, unchanged, unmet atomic.Uint64 }

func (c *counters) stats(name string) EdgeStats {
	return EdgeStats{name, c.delivered.Load(), c.merged.Load(), c.unchanged.Load(), c.unmet.Load()}
}
