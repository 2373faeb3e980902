// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"fmt"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// What a batch deletes after its Replace leaves slots to what it sets then.
func TestReplaceThenDeleteAndSet(t *testing.T) {
	s := store.New(func(it *item) string { return it.key })
	of := func(i int) *item { return &item{key: fmt.Sprint("k", i)} }
	var first []*item
	for i := range 1000 {
		first = append(first, of(i))
	}
	if err := s.Replace(first, "1"); err != nil {
		t.Fatal(err)
	}
	var b store.Batch[string, *item]
	b.Replace(first)
	for i := range 500 {
		b.Delete(first[i].key)
	}
	for i := 1000; i < 3000; i++ {
		b.Set(of(i))
	}
	if err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	for i := range 3000 {
		if _, ok := s.Reader().Get(of(i).key); ok != (i >= 500) {
			t.Fatalf("k%d is there: %v", i, ok)
		}
	}
}

// A batch that is applied again, as after an error, has the changes of the last time.
func TestChangesAreThoseOfTheLastApply(t *testing.T) {
	s := store.New(func(it *item) string {
		if it.rev < 0 {
			panic("no key")
		}
		return it.key
	})
	var b store.Batch[string, *item]
	x := &item{key: "x"}
	b.Set(x)
	if err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	first := b.Changes()
	if err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	if got := b.Changes(); len(got) != 1 || !got[0].HadOld || got[0].Old != x {
		t.Errorf("the second time: %v", got)
	}
	if len(first) != 1 || first[0].HadOld {
		t.Errorf("what the first Apply did has become %v", first)
	}
	x.rev = -1
	if err := s.Apply(&b); err == nil || len(b.Changes()) != 0 {
		t.Errorf("an Apply that has failed, %v, has done %v", err, b.Changes())
	}
}
