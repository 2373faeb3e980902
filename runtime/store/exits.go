// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/apart"
)

// ErrExited is the cause in an IndexError, or a KeyError, when the function has ended its
// goroutine by runtime.Goexit, as FailNow of package testing does.
var ErrExited = errors.New("the function has ended its goroutine by runtime.Goexit")

// A foreign function that ends its goroutine ends the writer's, in the middle of a write.
// Nobody has seen anything of that: what readers see is published at the end. But the
// writer's own books are half written. The next writer finds that out, puts them right, and
// from then on such functions are called on goroutines of their own, which they may end.

// lockToWrite excludes other writers, and puts right what the last one has left.
func (s *Store[K, T]) lockToWrite() {
	s.write.Lock()
	if s.writing {
		s.mend()
	}
}

// mend makes the writer's books those of the current version. It asks every index function
// about every object. Of one that fails now nobody knows where it is: the next write of it
// looks everywhere.
func (s *Store[K, T]) mend() {
	s.careful.Store(true)
	s.unstage()
	s.exchanges, s.replacing = exchanges[K, T]{}, false
	for _, x := range s.indexers {
		x.drop()
	}
	s.owners.restore()
	used := make([]bool, s.next)
	s.current.slots.each(func(slot uint32, ch *chunk[K, T]) bool {
		used[slot], s.failed = true, nil
		s.marks[slot] = s.askNew(s.indexers, s.lastKey(ch, slot), &ch.objs[slot&(chunkSize-1)])
		if len(s.failed) > 0 { // which was reported when the object was stored
			s.marks[slot]++
		}
		return true
	})
	s.failed = nil
	s.free = s.free[:0]
	for slot := range s.next {
		if !used[slot] {
			s.free = append(s.free, slot)
			s.owners.put(slot, unnamed)
		}
	}
	s.lost = slices.DeleteFunc(s.lost, func(slot uint32) bool { return used[slot] })
	s.writing = false
}

// readKey has keyOf read a key, when a function has ended a goroutine on one of its own.
func (s *Store[K, T]) readKey(obj T) K {
	if s.careful.Load() {
		return s.readKeyApart(obj)
	}
	return s.keyOf(obj)
}

func (s *Store[K, T]) readKeyApart(obj T) (key K) {
	onItsOwn(func() { key = s.keyOf(obj) })
	return key
}

// called has the index function append to dst, as readKey does.
func (x *index[K, T, V]) called(dst []V, obj T) []V {
	if x.store.careful.Load() {
		return x.calledApart(dst, obj)
	}
	return x.fn(dst, obj)
}

func (x *index[K, T, V]) calledApart(dst []V, obj T) (values []V) {
	onItsOwn(func() { values = x.fn(dst, obj) })
	return values
}

// onItsOwn calls f on a goroutine of its own. It panics with what f panics with, and with
// ErrExited if f has ended that goroutine.
func onItsOwn(f func()) {
	if returned, odd := apart.Call(f); odd != nil {
		panic(odd) //nolint:forbidigo // the function's own, which who calls it here contains
	} else if !returned {
		panic(ErrExited) //nolint:forbidigo // as above
	}
}

// tell has f, which may end its goroutine, told of err.
func tell(f func(error), err error) {
	if _, odd := apart.Call(func() { f(err) }); odd != nil {
		panic(odd) //nolint:forbidigo // the function's own, of which nobody else would hear
	}
}
