// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

// ahead is what an index function has said of some objects before the first of them is
// written. A function waits for memory that nobody has looked at for long, and then the
// hashes of what it says do; those of several objects do so together. See lookahead.
type ahead[V comparable] struct {
	asked[V]
	ends  [lookahead]int // of each object's, in values and hashes
	marks [lookahead]uint64
}

// askAhead asks about some objects, lookahead at most, nil for none. It may panic.
func (x *index[K, T, V]) askAhead(objs []*T) {
	q := &x.ahead
	q.reset()
	for i, obj := range objs {
		if obj != nil {
			q.add(x.fn(q.values[len(q.values):], *obj))
		}
		q.ends[i] = len(q.values)
	}
	for _, value := range q.values {
		q.hashes = append(q.hashes, x.hash(value))
	}
	begin := 0
	for i, end := range q.ends[:len(objs)] {
		q.marks[i] = x.mark(q.values[begin:end], q.hashes[begin:end])
		begin = end
	}
}

// add takes over what a function has appended to the room behind the values.
func (q *ahead[V]) add(values []V) {
	n := len(q.values)
	if sameArray(values, q.values[n:]) {
		q.values = q.values[:n+len(values)]
	} else {
		q.values = append(q.values, values...)
	}
	q.values = q.values[:n+len(dedupe(q.values[n:]))]
}

// stageAhead is stageNew for the i-th of the objects that were asked about.
func (x *index[K, T, V]) stageAhead(i int) (mark uint64) {
	q, begin := &x.ahead, 0
	if i > 0 {
		begin = q.ends[i-1]
	}
	x.now.reset()
	x.was.reset()
	x.now.values = append(x.now.values, q.values[begin:q.ends[i]]...)
	x.now.hashes = append(x.now.hashes, q.hashes[begin:q.ends[i]]...)
	x.asked, x.newMark = false, q.marks[i]
	return x.newMark
}

// comings are the objects that are written next, and whether the index functions have been
// asked about all of them.
type comings[T any] struct {
	objs  [lookahead]*T // nil: that write has none
	asked bool
}

// askAhead has the index functions say where s.coming go. If one fails, which will have to
// be told of the object, each is asked about by itself when it is written.
func (s *Store[K, T]) askAhead(n int) {
	s.coming.asked = false
	defer func() {
		_ = recover()
		clear(s.coming.objs[:])
	}()
	for _, x := range s.indexers {
		x.askAhead(s.coming.objs[:n])
	}
	s.coming.asked = true
}
