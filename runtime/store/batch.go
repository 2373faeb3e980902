// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "github.com/indexer-gen/indexer-gen/runtime/queue"

// Batch is a set of writes. Readers see all of them or none. The zero value is an empty batch;
// Reset empties it for reuse. A Batch is not safe for concurrent use.
type Batch[K comparable, T any] struct {
	ops     []op[K, T]
	objs    []T // of a Replace
	replace bool
	// incomplete is set if objs lacks an object whose key could not be read.
	incomplete bool

	resourceVersion    string
	hasResourceVersion bool
	rewind             bool

	hasSource, endSource bool
	source               string
	sourceID             uint32 // set by applyTo
	older                func(a, b T) bool
	same                 func(old, new T) bool

	changes []Change[T]
}

type opKind uint8

const (
	opSet opKind = iota
	opDelete
	opKeep
	opRepeat // a Set of an object that the store has in the same state; set by stage
)

type op[K comparable, T any] struct {
	kind opKind
	last bool   // of a delete: obj is the final state
	hash uint64 // of key
	key  K
	obj  T
}

// Change is what one write of a batch did to one object. Old is the object before that write; an Added
// has none. New is the object after it. Of a Deleted, New is the final state or, with a Cause, Old. An
// informer passes changes on to its handlers, so a Change has no key, and no more than four fields:
// larger structs are not passed in registers.
type Change[T any] struct {
	Old, New T
	Type     queue.Type // Added, Updated or Deleted
	Cause    Cause      // of a Deleted
}

// Cause says why the final state of a deleted object is unknown. The zero value means that it is known.
type Cause uint8

const (
	// FinalStateUnknown means that the deletion was not observed, or that the final state could not be
	// decoded.
	FinalStateUnknown Cause = iota + 1
	// SourceRemoved means that the source of the object was removed. The object may still exist.
	SourceRemoved
)

// Set stores obj and replaces the object of its key, if any.
func (b *Batch[K, T]) Set(obj T) { b.ops = append(b.ops, op[K, T]{kind: opSet, obj: obj}) }

// Delete removes the object of key, if any.
func (b *Batch[K, T]) Delete(key K) { b.ops = append(b.ops, op[K, T]{kind: opDelete, key: key}) }

// DeleteFinal is Delete of an object whose final state is known. It is New of the Change.
func (b *Batch[K, T]) DeleteFinal(key K, final T) {
	b.ops = append(b.ops, op[K, T]{kind: opDelete, last: true, key: key, obj: final})
}

// KeepStale keeps the object of key and marks it stale until it is written again. Use it for an
// object of the source that cannot be decoded.
func (b *Batch[K, T]) KeepStale(key K) { b.ops = append(b.ops, op[K, T]{kind: opKeep, key: key}) }

// Replace replaces all objects of the store by objs; objects of KeepStale stay. It comes before the
// other writes of the batch. If two objects have the same key, the later one counts. The
// batch uses objs until Reset.
func (b *Batch[K, T]) Replace(objs []T) { b.objs, b.replace = objs, true }

// ResourceVersion sets the resourceVersion that the store reflects after the batch.
func (b *Batch[K, T]) ResourceVersion(rv string) {
	b.resourceVersion, b.hasResourceVersion = rv, true
}

// Rewind declares that the source has gone backward: the resourceVersion of this batch does not
// follow the earlier ones. Waits for earlier versions return ErrRewound.
func (b *Batch[K, T]) Rewind() { b.rewind = true }

// SetSource declares that the batch comes from one of several sources of the store. Each
// source knows some of the objects; "" is a valid source. Replace and Delete then remove only
// objects that no other source has, and the resourceVersion is that of the source; see
// [Reader.ResourceVersionOf].
//
// An object of several sources is stored once. older reports whether a is known to be an
// older state of an object than b. A Set does not replace a newer object by an older one,
// unless the batch rewinds; so a slow source does not undo what a fast one has stored. A nil
// older never holds back a Set. older runs while other writers wait, and must not panic.
func (b *Batch[K, T]) SetSource(source string, older func(a, b T) bool) {
	b.hasSource, b.source, b.older = true, source, older
}

// SkipUnchanged makes Set and Replace keep an object if same reports that the new one is the same state
// of it. That is no change. Index functions are not called with the new object, which is dropped. same
// runs while other writers wait, and must not panic.
func (b *Batch[K, T]) SkipUnchanged(same func(old, new T) bool) { b.same = same }

// EndSource ends the source of the batch. Objects that no other source has are deleted, and the
// resourceVersion of the source is dropped. EndSource must be the only write of its batch.
func (b *Batch[K, T]) EndSource() { b.Replace(nil); b.endSource = true }

// Changes returns the changes of the last Apply in order, the deletions of a Replace first. If a key
// is written twice, there are two changes. There are none if Apply failed. Deleting a missing
// object is no change, nor is keeping one stale. The caller owns the slice: no Apply uses it again.
func (b *Batch[K, T]) Changes() []Change[T] { return b.changes }

// Len returns the number of writes in the batch.
func (b *Batch[K, T]) Len() int { return len(b.ops) + len(b.objs) }

// Reset empties the batch and keeps its memory for the next use.
func (b *Batch[K, T]) Reset() {
	clear(b.ops)
	*b = Batch[K, T]{ops: b.ops[:0]}
}
