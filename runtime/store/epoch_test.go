// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"errors"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Reached returns an error if the source of an Epoch was rewound or removed.
func TestMarks(t *testing.T) {
	s := newFed(t)
	r := s.Reader()
	is := func(m store.Epoch, rv string, want bool, fails error) {
		t.Helper()
		if got, err := r.Reached(m, rv); got != want || !errors.Is(err, fails) {
			t.Errorf("%s is reached: %v, %v; want %v, %v", rv, got, err, want, fails)
		}
	}
	early, whole := r.EpochOf("a"), r.Epoch()
	is(early, "5", false, nil)
	is(whole, "5", false, nil)
	is(whole, "", true, nil)
	s.apply("a", "5")
	is(early, "5", true, nil)
	is(early, "6", false, nil)
	is(whole, "5", false, store.ErrWhichSource)
	if _, err := r.Reached(early, "odd"); err == nil {
		t.Error("a version that has no order is reached or not")
	}
	a, frozen := r.EpochOf("a"), r.Snapshot()
	s.apply("a", "3", rewind)
	is(a, "4", false, store.ErrRewound)
	is(a, "2", false, store.ErrRewound)
	is(a, "", false, store.ErrRewound)
	is(r.EpochOf("a"), "3", true, nil)
	if reached, err := frozen.Reached(a, "5"); !reached || err != nil {
		t.Errorf("the snapshot is from before: %v, %v", reached, err)
	}
	a = r.EpochOf("a")
	s.apply("a", "", leave)
	is(a, "3", false, store.ErrSourceEnded)
	s.apply("a", "9")
	is(a, "3", false, store.ErrSourceEnded)
	is(r.EpochOf("a"), "9", true, nil)
	s.apply("a", "", leave)

	s.feeder().Join("a", "b")
	m := r.Epoch()
	s.apply("a", "5")
	is(m, "5", false, nil)
	s.apply("b", "6")
	is(m, "5", true, nil)
	if m != r.Epoch() {
		t.Error("the mark has changed, and nothing has gone backward")
	}
	s.apply("b", "2", rewind)
	is(m, "1", false, store.ErrRewound)
	s.apply("b", "", leave)
	is(m, "1", false, store.ErrRewound)
	is(r.Epoch(), "5", true, nil)

	var none store.Reader[string, *part]
	if reached, err := none.Reached(none.Epoch(), "1"); reached || err != nil {
		t.Errorf("of no store: %v, %v", reached, err)
	}
}
