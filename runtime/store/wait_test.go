// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		apply := func(rv string, rewind bool) {
			var b store.Batch[string, *item]
			b.ResourceVersion(rv)
			if rewind {
				b.Rewind()
			}
			if _, err := f.Apply(&b); err != nil {
				t.Error(err)
			}
		}
		wait := func(rv string) <-chan error {
			ch := make(chan error, 1)
			go func() { ch <- f.Reader().WaitFor(t.Context(), rv) }()
			synctest.Wait()
			return ch
		}
		pending := func(ch <-chan error) {
			t.Helper()
			synctest.Wait()
			select {
			case err := <-ch:
				t.Fatalf("did not wait: %v", err)
			default:
			}
		}
		ch := wait("10")
		pending(ch)
		apply("9", false)
		pending(ch)
		apply("10", false)
		if err := <-ch; err != nil {
			t.Error(err)
		}
		if err := <-wait("10"); err != nil {
			t.Error(err)
		}
		if err := <-wait("9"); err != nil {
			t.Error(err)
		}
		ch = wait("100")
		apply("3", true)
		if err := <-ch; !errors.Is(err, store.ErrRewound) {
			t.Errorf("after a rewind: %v", err)
		}
		if err := <-wait("not a version"); err == nil {
			t.Error("a version without order was waited for")
		}
		if err := <-wait(""); err != nil {
			t.Error(err)
		}
		if err := f.Reader().Snapshot().WaitFor(t.Context(), "50"); err == nil {
			t.Error("a snapshot has moved")
		}
		if err := f.Reader().Snapshot().WaitFor(t.Context(), "2"); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := f.Reader().WaitFor(ctx, "50"); !errors.Is(err, context.Canceled) ||
			!strings.Contains(err.Error(), `50, the store is at "3"`) {
			t.Errorf("canceled: %v", err)
		}
	})
}
