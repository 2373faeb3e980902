// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// The cost of an object that cannot be decoded does not depend on how many others cannot be:
// the set of stale objects is copied once for each batch.
func TestStaleObjectsAreNotCopiedForEach(t *testing.T) {
	const n = 4000
	s := store.New(func(p *part) string { return p.key })
	objs := make([]*part, n)
	for i := range objs {
		objs[i] = &part{key: strconv.Itoa(i)}
	}
	if err := s.Replace(objs, "1"); err != nil {
		t.Fatal(err)
	}
	var b store.Batch[string, *part]
	b.Replace(nil)
	for _, o := range objs {
		store.KeepStale(&b, o.key)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	snapshot := s.Reader().Snapshot()
	if err := s.Replace(objs, "2"); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if spent := (after.TotalAlloc - before.TotalAlloc) / n; spent > 4096 {
		t.Errorf("%d bytes were allocated for each of %d objects", spent, n)
	}
	if !snapshot.Stale("7") || s.Reader().Stale("7") {
		t.Error("what is stale in a snapshot has changed with the store")
	}
}

// A write after a snapshot copies no more if all other objects are stale.
func TestWriteBesideStaleObjectsCopiesLittle(t *testing.T) {
	const n = 20_000
	s := store.New(func(p *part) string { return p.key })
	objs := make([]*part, n)
	for i := range objs {
		objs[i] = &part{key: strconv.Itoa(i)}
	}
	var b store.Batch[string, *part]
	b.Replace(objs)
	for _, o := range objs {
		store.KeepStale(&b, o.key)
	}
	if _, err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 100 {
		s.Reader().Snapshot()
		if err := s.Set(&part{key: strconv.Itoa(i)}); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if spent := (after.TotalAlloc - before.TotalAlloc) / 100; spent > 16<<10 {
		t.Errorf("%d bytes were allocated for each write", spent)
	}
	if s.Reader().Stale("99") || !s.Reader().Stale("100") {
		t.Error("what was written is stale, or what was not is none")
	}
}
