// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// Batch is a set of writes, which are done in order. Readers see all of them or none. The zero value is
// an empty batch; Reset empties it for reuse. A Batch is not safe for concurrent use.
type Batch[K comparable, T any] struct {
	ops     []op[K, T]
	replace bool // objects that are not in ops are deleted

	resourceVersion    string
	hasResourceVersion bool
	rewind             bool

	hasPart, endPart bool
	part             string
	partID           uint32 // set by applyTo; 0 without a part
	older            func(a, b T) bool
	compare          func(old, new T) Difference

	changes []Change[T] // so far; returned by Apply
}

// op is one write.
type op[K comparable, T any] struct {
	delta.Delta[K, T]
	unread bool   // Key is to be read from Object
	hash   uint64 // of Key; set by readKeys
}

// Write adds the deltas of a queue's batch, which it copies, and its Replace, ResourceVersion and Rewound.
// Objects are stored under the keys of their deltas; the key function of the store is not called.
//
// A Deleted removes the object of its key. Its Object is New of the Change, unless NoObject or
// FinalStateUnknown is set. A Stale leaves the object of its key and marks it stale until it is written
// again. A Kept leaves the object, and it is not stale. All other deltas store their Object.
func (b *Batch[K, T]) Write(q *delta.Batch[K, T]) {
	b.add(q.Deltas...)
	b.replace, b.rewind = b.replace || q.Replace, b.rewind || q.Rewound
	if q.ResourceVersion != "" {
		b.ResourceVersion(q.ResourceVersion)
	}
}

func (b *Batch[K, T]) add(deltas ...delta.Delta[K, T]) {
	b.ops = slices.Grow(b.ops, len(deltas))
	for _, d := range deltas {
		b.ops = append(b.ops, op[K, T]{Delta: d})
	}
}

// Set stores obj and replaces the object of its key, if any.
func (b *Batch[K, T]) Set(obj T) {
	b.ops = append(b.ops, op[K, T]{Delta: delta.Delta[K, T]{Type: delta.Updated, Object: obj}, unread: true})
}

// Delete removes the object of key, if any.
func (b *Batch[K, T]) Delete(key K) {
	b.add(delta.Delta[K, T]{Type: delta.Deleted, NoObject: true, Key: key})
}

// Replace stores objs, and deletes all objects that the batch does not write.
func (b *Batch[K, T]) Replace(objs []T) {
	b.replace = true
	b.ops = slices.Grow(b.ops, len(objs))
	for _, obj := range objs {
		b.Set(obj)
	}
}

// ResourceVersion sets the resourceVersion that the store reflects after the batch.
func (b *Batch[K, T]) ResourceVersion(rv string) {
	b.resourceVersion, b.hasResourceVersion = rv, true
}

// Rewind declares that the source has gone backward: the resourceVersion of this batch does not
// follow the earlier ones. Waits for earlier versions return ErrRewound.
func (b *Batch[K, T]) Rewind() { b.rewind = true }

// SetPart declares that the batch comes from one part of the source, such as a namespace; see
// [Feeder.AddParts]. Each part has some of the objects. Replace and Delete then remove only objects that
// no other part has, and the resourceVersion is that of the part.
//
// An object of several parts is stored once. older reports whether a is known to be an older state of an
// object than b. A Set does not replace a newer object by an older one, unless the batch rewinds; so a slow
// part does not undo what a fast one has stored. A nil older never holds back a Set. older runs while
// other writers wait, and must not panic.
func (b *Batch[K, T]) SetPart(part string, older func(a, b T) bool) {
	b.hasPart, b.part, b.older = true, part, older
}

// Compare sets a function that tells how an object differs from the one that it replaces, such as
// [CompareObjects]. An Unchanged object makes no change: the store keeps the old one, and does not call
// index functions. A Recreated object makes two changes, a Deleted with FinalStateUnknown and an Added.
// compare runs while other writers wait, and must not panic. Without it, every object that replaces
// another is Changed.
func (b *Batch[K, T]) Compare(compare func(old, new T) Difference) { b.compare = compare }

// EndPart ends the part of the batch. Objects that no other part has are deleted, and waits no longer wait
// for the part. EndPart must be the only write of its batch.
func (b *Batch[K, T]) EndPart() { b.replace, b.endPart = true, true }

// Len returns the number of writes in the batch.
func (b *Batch[K, T]) Len() int { return len(b.ops) }

// Reset empties the batch. It keeps the memory for the next use, except that of a Replace.
func (b *Batch[K, T]) Reset() {
	ops := b.ops[:0]
	if clear(b.ops); b.replace {
		ops = nil
	}
	*b = Batch[K, T]{ops: ops}
}
