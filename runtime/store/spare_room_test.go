// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"fmt"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

// A Replace leaves as little spare room in postings as single writes: an eighth, rounded up by
// the allocator.
func TestListLeavesLittleRoom(t *testing.T) {
	type object struct{ name, node string }
	for _, n := range []int{1, 2, 9, 65, 130, 250} {
		s := New(func(o *object) string { return o.name })
		node := AddIndex(s, "node", func(dst []string, o *object) []string { return append(dst, o.node) })
		var objs []*object
		for i := range 4 * n {
			objs = append(objs, &object{fmt.Sprint("o", i), fmt.Sprint("n", i%4)})
		}
		if err := s.Replace(objs, "1"); err != nil {
			t.Fatal(err)
		}
		values := 0
		node.index.In(&s.current.Load().indexes).Each(func(e *posting.Bucket[string]) bool {
			values++
			slots, _ := e.Posting.Runs()
			grown := n + n/8 + 1
			if have, room := len(slots), cap(slots); have != n || room > grown+grown/8+1 {
				t.Errorf("a value of %d objects has %d, and room for %d", n, have, room)
			}
			return true
		})
		if values != 4 {
			t.Errorf("there are %d values, want 4", values)
		}
	}
}
