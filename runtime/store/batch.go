// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

// Batch is a set of writes that readers see all of, or none of. A zero Batch
// is ready for use, and after Reset for use again; not by two goroutines at once.
type Batch[K comparable, T any] struct {
	ops     []op[K, T]
	objs    []T // of a Replace
	replace bool
	// incomplete is set if objs lacks an object whose key could not be read.
	incomplete bool

	resourceVersion    string
	hasResourceVersion bool
	rewind             bool

	streamed, leave bool
	stream          string
	older           func(a, b T) bool
	id              uint32 // of stream, and its life, once the store has begun
	life            uint64

	changes []Change[K, T]
}

type opKind uint8

const (
	opSet opKind = iota
	opDelete
	opKeep
)

type op[K comparable, T any] struct {
	kind opKind
	hash uint64 // of key
	key  K
	obj  T
}

// Change is what a batch did to one object. Old is the object that was there
// before, if HadOld; New the one that is there now, if HasNew.
type Change[K comparable, T any] struct {
	Key            K
	Old, New       T
	HadOld, HasNew bool
}

// Set stores obj in place of what its key held.
func (b *Batch[K, T]) Set(obj T) { b.ops = append(b.ops, op[K, T]{kind: opSet, obj: obj}) }

// Delete removes what key holds, if anything.
func (b *Batch[K, T]) Delete(key K) { b.ops = append(b.ops, op[K, T]{kind: opDelete, key: key}) }

// Keep has the object of key stay as it is, marked stale until it is next
// written: the source knows of it, but what it said could not be decoded.
func (b *Batch[K, T]) Keep(key K) { b.ops = append(b.ops, op[K, T]{kind: opKeep, key: key}) }

// Replace has the store hold objs and what the batch keeps, and nothing else.
// It comes before the other writes of the batch. Of two objects with one key
// the later one counts. The batch does not hold on to objs after Reset.
func (b *Batch[K, T]) Replace(objs []T) { b.objs, b.replace = objs, true }

// ResourceVersion is what the store reflects once the batch is applied.
func (b *Batch[K, T]) ResourceVersion(rv string) {
	b.resourceVersion, b.hasResourceVersion = rv, true
}

// Rewind says that the source has gone backward: the resourceVersion of this
// batch does not follow the ones before it.
func (b *Batch[K, T]) Rewind() { b.rewind = true }

// Changes returns what the last Apply did, in order, the deletions of a Replace
// first; nothing if it failed. A Delete or Keep of what was not there is no change.
// The slice is valid until Reset, also if the batch is applied again.
func (b *Batch[K, T]) Changes() []Change[K, T] { return b.changes }

// dropChanges lets go of the changes of an earlier Apply, which the caller may still hold.
func (b *Batch[K, T]) dropChanges() {
	if len(b.changes) > 0 {
		b.changes = nil
	}
}

// Len returns how many writes the batch holds.
func (b *Batch[K, T]) Len() int { return len(b.ops) + len(b.objs) }

// Reset empties the batch and keeps its memory for the next use.
func (b *Batch[K, T]) Reset() {
	clear(b.ops)
	clear(b.changes)
	*b = Batch[K, T]{ops: b.ops[:0], changes: b.changes[:0]}
}
