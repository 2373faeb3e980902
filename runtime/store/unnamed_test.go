// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// The stream without a name is a stream too: it may be slower than others, and may end.
func TestStreamWithoutAName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.New(func(p *part) string { return p.key })
		apply := func(stream, rv string, change func(*store.Batch[string, *part])) {
			var b store.Batch[string, *part]
			b.From(stream, older)
			if b.ResourceVersion(rv); change != nil {
				change(&b)
			}
			if err := s.Apply(&b); err != nil {
				t.Fatal(err)
			}
		}
		waits := func(wait func(context.Context, string) error, rv string) chan error {
			ended := make(chan error, 1)
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			t.Cleanup(cancel)
			go func() { ended <- wait(ctx, rv) }()
			synctest.Wait()
			return ended
		}
		unnamed := func(ctx context.Context, rv string) error { return s.Reader().WaitForStream(ctx, "", rv) }
		apply("fast", "5", nil)
		slow := waits(unnamed, "7")
		select {
		case err := <-slow:
			t.Fatalf("the stream has yet to begin, and the wait for it is over: %v", err)
		default:
		}
		apply("", "7", nil)
		if err := <-slow; err != nil {
			t.Errorf("it is there: %v", err)
		}
		named, whole := waits(unnamed, "100"), waits(s.Reader().WaitFor, "100")
		apply("", "", (*store.Batch[string, *part]).Leave)
		if err := <-named; !errors.Is(err, store.ErrStreamLeft) {
			t.Errorf("the stream has ended: %v, want ErrStreamLeft", err)
		}
		if err := <-whole; err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the store is fed by another alone: %v", err)
		}
		again := waits(unnamed, "100")
		apply("", "100", nil)
		if err := <-again; err != nil {
			t.Errorf("another has begun: %v", err)
		}
	})
}
