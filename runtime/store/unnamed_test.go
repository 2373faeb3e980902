// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// The unnamed stream is like others: it may be slower, and may end.
func TestStreamWithoutAName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFed(t)
		unnamed := func(ctx context.Context, rv string) error { return s.Reader().WaitForSource(ctx, "", rv) }
		s.apply("fast", "5")
		slow := s.begin(unnamed, "7")
		select {
		case err := <-slow:
			t.Fatalf("the stream has yet to begin, and the wait for it is over: %v", err)
		default:
		}
		s.apply("", "7")
		if err := <-slow; err != nil {
			t.Errorf("it is there: %v", err)
		}
		named, whole := s.begin(unnamed, "100"), s.begin(s.Reader().WaitFor, "100")
		s.apply("", "", leave)
		if err := <-named; !errors.Is(err, store.ErrSourceEnded) {
			t.Errorf("the stream has ended: %v, want ErrSourceEnded", err)
		}
		if err := <-whole; err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the store is fed by another alone: %v", err)
		}
		again := s.begin(unnamed, "100")
		s.apply("", "100")
		if err := <-again; err != nil {
			t.Errorf("another has begun: %v", err)
		}
	})
}
