// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// putAll does at most table.LookupSize writes of a batch.
func (s *Store[K, T]) putAll(v *version[K, T], ops []op[K, T], b *Batch[K, T]) {
	var at [table.LookupSize]table.Located[K]
	for i := range ops {
		at[i].Key, at[i].Hash = ops[i].key, ops[i].hash
	}
	v.FindAll(at[:len(ops)])
	deleted := false // then another object may have taken a slot that was found
	for i := range ops {
		slot := at[i].Slot
		if slot == table.NoSlot || deleted {
			slot = v.Find(at[i].Hash, at[i].Key)
		}
		s.put(v, s.stage(v, b, &ops[i], slot), b)
		deleted = deleted || ops[i].kind == opDelete
	}
}

// put commits a staged write if the sources admit it.
func (s *Store[K, T]) put(v *version[K, T], st *staged[K, T], b *Batch[K, T]) {
	if s.admit(st, b) {
		s.commit(v, st, b)
	}
}

// admit updates the sources that have the staged object, and reports whether the write goes ahead: a
// delete does not while another source has the object, nor, unless the batch rewinds, does a Set of
// an older state of an object that several sources have. Writes without a source always go ahead.
func (s *Store[K, T]) admit(st *staged[K, T], b *Batch[K, T]) bool {
	if !b.hasSource {
		return true
	}
	switch {
	case st.kind == opSet && !st.had:
		s.sources.Set(st.slot, b.sourceID)
		return true
	case st.kind == opDelete:
		return st.had && !s.sources.Remove(st.slot, b.sourceID)
	case !st.had:
		return false
	}
	shared := s.sources.Add(st.slot, b.sourceID)
	return st.kind != opSet || !shared || b.rewind || b.older == nil || !b.older(st.obj, st.old)
}

// commit does a staged write in v, and appends it to the changes of b. A delete frees its slot.
func (s *Store[K, T]) commit(v *version[K, T], st *staged[K, T], b *Batch[K, T]) {
	if !st.had && st.kind != opSet {
		return
	}
	switch st.kind {
	case opKeep, opRepeat:
		v.SetStale(v.owner, st.slot, st.kind == opKeep)
		return
	case opSet:
		if st.had {
			v.Replace(v.owner, st.slot, st.obj, st.key)
		} else {
			v.Insert(v.owner, st.slot, st.hash, st.obj, st.key, st.known)
		}
	case opDelete:
		if !v.Delete(v.owner, st.slot, st.hash) {
			panic(fmt.Sprintf("indexer-gen: object %v was renamed in the store, "+ //nolint:forbidigo // caller
				"where objects must not be changed; run tests with %s=true", st.key, mutationVariable))
		}
		s.free = append(s.free, st.slot)
		s.sources.Set(st.slot, 0)
	}
	if st.moves {
		w := index.Write{Had: st.had, Trusted: st.trusted, Replace: st.known != nil}
		for _, x := range s.indexers {
			x.Commit(&v.indexes, v.owner, st.slot, w)
		}
		s.fingerprints[st.slot] = st.fingerprint
	}
	b.changes = append(b.changes, st.change(b))
}

// change returns what st does, as a write of b.
func (st *staged[K, T]) change(b *Batch[K, T]) Change[T] {
	c := Change[T]{Old: st.old, New: st.obj, Type: queue.Updated}
	switch {
	case st.kind == opSet && !st.had:
		c.Type = queue.Added
	case st.kind == opDelete:
		if c.Type = queue.Deleted; !st.last {
			c.New, c.Cause = st.old, FinalStateUnknown
		}
		if b.endSource {
			c.Cause = SourceRemoved
		}
	}
	return c
}
