// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package feed

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// The change of an object does not depend on the other objects of its batch, although many are compared
// at once.
func TestChangesOfABatchAreThoseOfEach(t *testing.T) {
	object := func(i int, uid, version string) *metav1.ObjectMeta {
		return &metav1.ObjectMeta{Name: fmt.Sprint("o", i), UID: types.UID(uid), ResourceVersion: version}
	}
	type done = store.Change[*metav1.ObjectMeta]
	text := func(c done) string { return fmt.Sprint(c.New.Name, c.New.UID, c.Type, c.Cause) }
	seen := map[string]bool{}
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var changes []done
		var want []string
		for i := range 80 {
			old, now := object(i, "u", "1"), object(i, "u", "2")
			c := done{Old: old, New: now, Type: queue.Updated}
			switch rng.IntN(6) {
			case 0:
				now.UID = "v"
			case 1:
				now.ResourceVersion = "1"
			case 2:
				c.Old, c.Type = nil, queue.Added
			case 3:
				c.Type = queue.Deleted
			case 4:
				c.New, c.Type, c.Cause = old, queue.Deleted, store.FinalStateUnknown
			}
			changes = append(changes, c)
			for _, one := range divided([]done{c}) {
				want = append(want, text(one))
				seen[fmt.Sprint(one.Type, one.Cause)] = true
			}
		}
		var got []string
		for _, one := range divided(changes) {
			got = append(got, text(one))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("seed %d: told %v, want %v", seed, got, want)
		}
	}
	if len(seen) != 4 {
		t.Errorf("only %d kinds of changes came up: this test is of no use", len(seen))
	}
}

// The changes of a list that repeats most objects do not hold the memory of changes of all.
func TestFewChangesOfALargeListAreSmall(t *testing.T) {
	changes := make([]store.Change[*metav1.ObjectMeta], 0, 1000)
	for range 3 {
		changes = append(changes, store.Change[*metav1.ObjectMeta]{New: &metav1.ObjectMeta{}, Type: queue.Added})
	}
	if got := divided(changes); len(got) != 3 || cap(got) > 4 {
		t.Errorf("%d changes in the memory of %d", len(got), cap(got))
	}
}
