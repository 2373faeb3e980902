// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"hash/maphash"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// distinct is the memory of areDistinct.
type distinct struct {
	seed  maphash.Seed
	table []uint64 // hashes, at or after where they belong; 0 is none
}

func newDistinct() distinct { return distinct{seed: maphash.MakeSeed()} }

// areDistinct reports whether no two changes are of one object. It may say no though they
// are, if two keys have one hash.
func areDistinct[T metav1.Object](d *distinct, changes []change[T]) bool {
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
		hash := maphash.Comparable(d.seed, store.KeyOf(changes[i].about())) | 1
		for at := hash >> 1 & mask; ; at = (at + 1) & mask {
			if d.table[at] == hash {
				return false
			}
			if d.table[at] == 0 {
				d.table[at] = hash
				break
			}
		}
	}
	return true
}
