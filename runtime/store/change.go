// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

type opKind uint8

const (
	opSet opKind = iota
	opDelete
	opKeep
)

type op[K comparable, T any] struct {
	kind opKind
	last bool   // of a delete: obj is the final state
	hash uint64 // of key
	key  K
	obj  T
}

// Change is what a batch did to one object. Old is the object before the batch, if HadOld. New
// is the object after it, if HasNew, or the final state of a deleted one, if HasFinal.
type Change[K comparable, T any] struct {
	Key                      K
	Old, New                 T
	HadOld, HasNew, HasFinal bool
}

// staged is a write for which all foreign code has run. A store has one at a time.
type staged[K comparable, T any] struct {
	op[K, T]
	slot uint32
	old  T
	had  bool

	fingerprint uint64 // of all index values of the new object
	moves       bool   // some index value changes
	trusted     bool   // the old values are those that the indexes have

	known []uint64 // by slot: key hashes that a Replace has computed; 0: not computed
}

func (st *staged[K, T]) change() Change[K, T] {
	return Change[K, T]{
		Key: st.key, Old: st.old, HadOld: st.had, New: st.obj, HasNew: st.kind == opSet, HasFinal: st.last,
	}
}
