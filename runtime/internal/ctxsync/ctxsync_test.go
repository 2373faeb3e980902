// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package ctxsync

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

var errEnded = errors.New("ended")

// ended returns a context that has ended with errEnded.
func ended() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errEnded)
	return ctx
}

func TestMutex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMutex()
		if err := m.Lock(ended()); err != nil {
			t.Fatalf("a free mutex: %v", err)
		}
		if err := m.Lock(ended()); !errors.Is(err, errEnded) {
			t.Errorf("a held mutex: %v", err)
		}
		locked := false
		go func() {
			if err := m.Lock(t.Context()); err != nil {
				t.Error(err)
			}
			locked = true
		}()
		synctest.Wait()
		if locked {
			t.Error("locked twice")
		}
		m.Unlock()
		synctest.Wait()
		if !locked {
			t.Error("not locked after Unlock")
		}
	})
}

func TestSignal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSignal()
		s.Raise()
		s.Raise() // counts once
		if err := s.Wait(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if err := s.Wait(ended(), nil); !errors.Is(err, errEnded) {
			t.Errorf("after one wake-up: %v", err)
		}
		woken := 0
		for range 2 {
			go func() {
				if err := s.Wait(t.Context(), nil); err != nil {
					t.Error(err)
				}
				woken++
			}()
		}
		synctest.Wait()
		for want := range 2 {
			if woken != want {
				t.Fatalf("%d waiters woke, want %d", woken, want)
			}
			s.Raise()
			synctest.Wait()
		}
		done := make(chan struct{})
		close(done)
		if err := s.Wait(t.Context(), done); err != nil {
			t.Errorf("done: %v", err)
		}
	})
}
