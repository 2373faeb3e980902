// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"errors"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Reached returns an error if the source of an Epoch has gone backward, in any of its parts.
func TestEpochs(t *testing.T) {
	s := newFed(t)
	r := s.Reader()
	is := func(m store.Epoch, rv string, want bool, fails error) {
		t.Helper()
		if got, err := r.Reached(m, rv); got != want || !errors.Is(err, fails) {
			t.Errorf("%s is reached: %v, %v; want %v, %v", rv, got, err, want, fails)
		}
	}
	early := r.Epoch()
	is(early, "5", false, nil)
	is(early, "", true, nil)
	s.apply("a", "5")
	is(early, "5", true, nil)
	is(early, "6", false, nil)
	if _, err := r.Reached(early, "odd"); err == nil {
		t.Error("a version that has no order is reached or not")
	}
	frozen := r.Snapshot()
	s.apply("a", "3", rewind)
	is(early, "4", false, store.ErrRewound)
	is(early, "2", false, store.ErrRewound)
	is(early, "", false, store.ErrRewound)
	is(r.Epoch(), "3", true, nil)
	if reached, err := frozen.Reached(early, "5"); !reached || err != nil {
		t.Errorf("the snapshot is from before: %v, %v", reached, err)
	}
	now := r.Epoch()
	s.feeder().Part("a").End()
	s.feeder().AddParts("a", "b")
	s.apply("a", "5")
	is(now, "5", false, nil)
	s.apply("b", "6")
	is(now, "5", true, nil)
	if now != r.Epoch() {
		t.Error("the Epoch has changed, and nothing has gone backward")
	}
	s.apply("b", "2", rewind)
	is(now, "1", false, store.ErrRewound)
	s.feeder().Part("b").End()
	is(now, "1", false, store.ErrRewound)
	is(r.Epoch(), "5", true, nil)

	var none store.Reader[string, *part]
	if reached, err := none.Reached(none.Epoch(), "1"); reached || err != nil {
		t.Errorf("of no store: %v, %v", reached, err)
	}
}
