// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"testing"
)

// Fingerprints are equal if the values are, in any order. A panic has that of no values.
func TestFingerprints(t *testing.T) {
	r := newRig(nil)
	objs := []object{{}, {1}, {2}, {1, 2}, {1, 2, 3}, {-1}}
	prints := make([]uint64, len(objs))
	for i := range objs[:5] {
		prints[i] = r.StageNew(&objs[i])
		for j := range i {
			if prints[j] == prints[i] {
				t.Errorf("%v and %v have one fingerprint", objs[j], objs[i])
			}
		}
	}
	for i := range objs[:5] {
		for j := range objs {
			r.StageNew(&objs[i])
			if got, want := r.StageOld(&objs[j]), prints[j]-prints[i]; got != want {
				t.Errorf("%v and %v differ by %d, want %d", objs[j], objs[i], got, want)
			}
		}
	}
	same, turned := object{1, 2, 3}, object{3, 1, 2, 3}
	if r.StageNew(&same); r.StageOld(&turned) != 0 {
		t.Error("the fingerprint depends on the order of values")
	}
	sum := func(value int, hash uint64) uint64 {
		return r.fingerprintOf(&hashedValues[int]{[]int{value}, []uint64{hash}})
	}
	if sum(1, 1) == sum(1, 2) || sum(1, 1) == sum(2, 1) {
		t.Error("the fingerprint does not depend on both hashes")
	}
}
