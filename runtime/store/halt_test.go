// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Halt ends current and later waits with its error. Waits for reached versions still succeed.
func TestHaltEndsWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFed(t)
		s.apply("", "5")
		r, why := s.Reader(), errors.New("it was shut down")
		begun := s.begin(r.WaitFor, "7")
		s.feeder().Halt(why)
		if err := <-begun; !errors.Is(err, why) {
			t.Errorf("a wait that had begun ended with %v", err)
		}
		if err := <-s.begin(r.WaitFor, "7"); !errors.Is(err, why) {
			t.Errorf("a wait that begins ended with %v", err)
		}
		if err := <-s.begin(r.WaitFor, "5"); err != nil {
			t.Errorf("what is there is waited for: %v", err)
		}
		if err := r.WaitUntil(t.Context(), func(store.Reader[string, *part]) bool {
			return false
		}); !errors.Is(err, why) {
			t.Errorf("a wait for a condition ended with %v", err)
		}
		s.feeder().Halt(nil)
		again := s.begin(r.WaitFor, "7")
		s.apply("", "7")
		if err := <-again; err != nil {
			t.Errorf("it is fed again, and a wait ended with %v", err)
		}
	})
}
