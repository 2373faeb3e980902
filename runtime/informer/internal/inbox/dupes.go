// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inbox

import (
	"hash/maphash"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Dupes finds changes of the same object. It reuses its table, and is not safe for concurrent
// use. Create it with NewDupes.
type Dupes[T metav1.Object] struct {
	seed  maphash.Seed
	table []uint64 // open addressing; 0 is an empty slot
}

// NewDupes returns a Dupes.
func NewDupes[T metav1.Object]() Dupes[T] { return Dupes[T]{seed: maphash.MakeSeed()} }

// In reports whether two of changes are of one object. It may also return true if the hashes of
// two keys are equal.
func (d *Dupes[T]) In(changes []Change[T]) bool {
	size := 64
	for size < 2*len(changes) {
		size *= 2
	}
	if len(d.table) < size || size > 64 && len(d.table) > 4*size {
		d.table = make([]uint64, size)
	} else {
		clear(d.table)
	}
	mask := uint64(len(d.table) - 1)
	for i := range changes {
		hash := maphash.Comparable(d.seed, store.KeyOf(changes[i].About())) | 1
		for at := hash >> 1 & mask; ; at = (at + 1) & mask {
			if d.table[at] == hash {
				return true
			}
			if d.table[at] == 0 {
				d.table[at] = hash
				break
			}
		}
	}
	return false
}
