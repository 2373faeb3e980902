// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestZeroValues(t *testing.T) {
	var r store.Reader[string, *item]
	var ix store.Index[string, *item, string]
	for range r.Snapshot().All() {
		t.Error("an object from nowhere")
	}
	for range r.Keys() {
		t.Error("a key from nowhere")
	}
	for range ix.Get(newFixture().Reader(), "x") {
		t.Error("an object from nowhere")
	}
	if _, ok := r.Get("x"); ok || r.Len() != 0 || ix.Count(r, "") != 0 || r.Stale("x") ||
		r.ResourceVersion() != "" || ix.Name() != "" {
		t.Error("a zero Reader or Index finds something")
	}
	if r.WaitFor(t.Context(), "5") == nil {
		t.Error("a zero Reader has caught up")
	}
}

// Zero handles and queries find nothing with any reader, and their watches yield once.
func TestZeroHandles(t *testing.T) {
	f := newFixture()
	fill(t, f, 3)
	var (
		byValue store.Index[string, *item, string]
		unique  store.Unique[string, *item, string]
		ordered store.Ordered[string, *item, string]
		both    store.UniqueOrdered[string, *item, string]
		byLabel store.Labels[string, *item]
		query   store.Query[string, *item]
		none    store.Reader[string, *item]
	)
	for name, r := range map[string]store.Reader[string, *item]{
		"none": none, "live": f.Reader(), "frozen": f.Reader().Snapshot(),
	} {
		n := 0
		for _, seq := range []iter.Seq[*item]{
			byValue.Get(r, "n1"), unique.All(r, "n1"), ordered.Get(r, "n1"), both.All(r, "n1"),
			byLabel.Get(r, "k", "v"), query.Get(r),
			ordered.Ascend(r, store.Range[string]{}), ordered.Descend(r, store.Below("z")),
			both.Ascend(r, store.AtLeast("a")),
			byValue.Equal("n1").Get(r), byValue.In("n1", "n2").Get(r),
			byValue.SharingValues(&item{node: "n1"}).Get(r), ordered.Within(store.Between("a", "z")).Get(r),
			byLabel.Has("k").Get(r), store.AllOf(query, query).Get(r),
			store.AnyOf(query, query, query).Get(r), query.Except(query).Get(r),
		} {
			n += len(slices.Collect(seq))
		}
		for range byValue.Values(r) {
			n++
		}
		for range both.Conflicts(r) {
			n++
		}
		for range byLabel.Values(r) {
			n++
		}
		for range query.Keys(r) {
			n++
		}
		n += byValue.Count(r, "n1") + byValue.Len(r)
		for range unique.Conflicts(r) {
			n++
		}
		n += byLabel.Count(r, "k", "v") + query.Count(r)
		_, one := unique.Get(r, "n1")
		_, other := both.Get(r, "n1")
		_, lowest := ordered.Min(r)
		_, highest := both.Max(r)
		if n > 0 || one || other || lowest || highest {
			t.Errorf("%s: a handle that nobody has made finds something", name)
		}
		fired := 0
		for range query.Watch(t.Context(), r) {
			fired++
			break
		}
		for range byValue.Watch(t.Context(), r, "n1") {
			fired++
			break
		}
		if fired != 2 {
			t.Errorf("%s: fired %d times, want once each", name, fired)
		}
	}
	var b store.Batch[string, *item]
	if changes, err := f.Apply(&b); err != nil || len(changes) != 0 || f.Reader().Len() != 3 {
		t.Errorf("a batch of nothing: %v, %d objects", err, f.Reader().Len())
	}
	for _, err := range []error{&store.KeyError{}, &store.IndexError{}, &store.MutationError{}} {
		if err.Error() == "" || errors.Unwrap(err) != nil {
			t.Errorf("%T says nothing, or holds something", err)
		}
	}
}
