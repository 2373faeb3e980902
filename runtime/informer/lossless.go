// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"sync"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type reader[T any] = store.Reader[types.NamespacedName, T]

// inbox is what waits for one handler. put and replay never block. next, waited,
// settle and batch are called by one goroutine at a time, the one that calls the handler.
type inbox[T metav1.Object] interface {
	// put adds changes, which are shared and must not be changed. distinct says that no
	// two are of one object, list that they are what a list has brought, initial that it
	// was the first of its source, last that with it the informer has synced.
	put(changes []change[T], distinct, list, initial, last bool)
	// replay adds every object of a snapshot, as additions of the initial list or
	// as updates to themselves. last says that the initial list ends with it.
	replay(r reader[T], initial, last bool)
	// next returns the next call to make; the one that it returned before has been
	// made.
	next() (c change[T], inInitialList, ok bool)
	// waited reports whether next had to wait for something, or to prepare it, rather than
	// find the call at hand.
	waited() bool
	// settle notes that the call that next returned has been made.
	settle()
	// batch returns what came at once, instead of next; what it returned before has
	// been made use of.
	batch() (b Batch[T], ok bool)
	// full reports whether more is waiting than should.
	full() bool
	// waiting returns how much is to be told, what next or batch returned last included,
	// and when the oldest of it came, 0 if there is none.
	waiting() (n int, since int64)
}

// unit is what came into a lossless inbox at once.
type unit[T metav1.Object] struct {
	changes []change[T]
	objs    []T
	made    int  // how many calls have been made, or begun
	list    bool // what a list has brought, which nobody waits for
	came    int64

	replay  reader[T]
	replays bool // objs are those of replay, once it is its turn
	initial bool // of the initial list
	last    bool // the initial list ends with this
}

func (u *unit[T]) len() int { return len(u.changes) + len(u.objs) }

// batch is what u has yet to tell.
func (u *unit[T]) batch() Batch[T] {
	b := Batch[T]{initial: u.initial, last: u.last}
	if !u.replays {
		b.changes = u.changes[u.made:]
		return b
	}
	b.objs, b.again = u.objs[u.made:], !u.initial
	return b
}

// lossless is an inbox that keeps every change, in order. Changes are held once for
// all handlers; a snapshot costs nothing until its turn.
type lossless[T metav1.Object] struct {
	limit     int64
	clock     *clock
	pending   atomic.Int64   // changes; replays and one list do not count
	total     atomic.Int64   // all of them
	room      ctxsync.Signal // raised when pending falls to limit
	onInitial func()         // called when the initial list has been delivered

	mu       sync.Mutex
	units    []*unit[T]
	resyncs  int      // replays that are not initial, waiting or being delivered
	lists    int      // units of lists that do not count, waiting or being delivered
	complete bool     // the initial list is, though it may be waiting
	since    int64    // when current came, for whoever asks
	current  *unit[T] // nobody else's, as what follows
	inFlight int      // changes that next or batch returned are being told
	opened   bool     // a unit has been, by the last next
}

func newLossless[T metav1.Object](limit int, c *clock, onInitial func()) *lossless[T] {
	return &lossless[T]{limit: int64(limit), clock: c, room: ctxsync.NewSignal(), onInitial: onInitial}
}

// put does not count what a list has brought: that is bounded by the number of objects,
// and to wait for it would stop the store for as long as a slow handler takes to get to
// know them all. If it comes when an earlier one is still waiting, it counts, unless
// both are of the initial list, to which each source contributes one.
func (b *lossless[T]) put(changes []change[T], _, list, initial, last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := &unit[T]{changes: changes, initial: initial, last: last, came: b.clock.ticked()}
	u.list = list && (b.lists == 0 || initial && !b.complete)
	b.complete = b.complete || last
	if u.list {
		b.lists++
	} else {
		b.pending.Add(int64(len(changes)))
	}
	b.total.Add(int64(len(changes)))
	b.units = append(b.units, u)
}

func (b *lossless[T]) replay(r reader[T], initial, last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !initial {
		if b.resyncs > 0 {
			return
		}
		b.resyncs++
	}
	b.complete = b.complete || last
	b.total.Add(int64(r.Len()))
	b.units = append(b.units, &unit[T]{replay: r, replays: true, initial: initial, last: last, came: b.clock.ticked()})
}

func (b *lossless[T]) next() (c change[T], inInitialList, ok bool) {
	b.settle()
	b.opened = b.current == nil
	for b.current == nil {
		if b.current = b.take(); b.current == nil {
			return c, false, false
		}
		b.finishUnit() // if it is empty
	}
	u := b.current
	b.inFlight = 1
	switch {
	case !u.replays:
		c = u.changes[u.made]
	case u.initial:
		c = change[T]{new: u.objs[u.made], kind: added}
	default:
		c = change[T]{old: u.objs[u.made], new: u.objs[u.made], kind: updated}
	}
	u.made++
	return c, u.initial, true
}

func (b *lossless[T]) waited() bool { return b.opened }

// batch gives an empty unit too: that the initial list is complete may be all it says.
func (b *lossless[T]) batch() (out Batch[T], ok bool) {
	b.settle()
	if b.current == nil {
		if b.current = b.take(); b.current == nil {
			return out, false
		}
	}
	u := b.current
	out = u.batch()
	b.inFlight, u.made = u.len()-u.made, u.len()
	if b.inFlight == 0 {
		b.finishUnit()
	}
	return out, true
}

// take returns the oldest unit, nil if there is none.
func (b *lossless[T]) take() *unit[T] {
	b.mu.Lock()
	if len(b.units) == 0 {
		b.mu.Unlock()
		return nil
	}
	u := b.units[0]
	b.since = u.came
	b.units[0] = nil
	if b.units = b.units[1:]; len(b.units) == 0 {
		b.units = nil
	}
	b.mu.Unlock()
	if u.replays {
		u.objs = make([]T, 0, u.replay.Len())
		for obj := range u.replay.All() {
			u.objs = append(u.objs, obj)
		}
		u.replay = reader[T]{}
	}
	return u
}

func (b *lossless[T]) settle() {
	n := int64(b.inFlight)
	if n == 0 {
		return
	}
	b.inFlight = 0
	b.total.Add(-n)
	if !b.current.replays && !b.current.list {
		if left := b.pending.Add(-n); left <= b.limit && left+n > b.limit {
			b.room.Raise()
		}
	}
	b.finishUnit()
}

// finishUnit drops the current unit if all its calls have been made.
func (b *lossless[T]) finishUnit() {
	u := b.current
	if u.made < u.len() {
		return
	}
	b.current = nil
	b.mu.Lock()
	b.since = 0
	if u.replays && !u.initial {
		b.resyncs--
	}
	if u.list {
		b.lists--
	}
	b.mu.Unlock()
	if u.last {
		b.onInitial()
	}
}

func (b *lossless[T]) full() bool { return b.pending.Load() > b.limit }

func (b *lossless[T]) waiting() (n int, since int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	since = b.since
	if since == 0 && len(b.units) > 0 {
		since = b.units[0].came
	}
	return int(b.total.Load()), since
}
