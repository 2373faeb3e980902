// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// The version of the store is that of the part that is furthest behind. That of a snapshot never changes.
func TestPartsAreReachedByTheLast(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := newFed(t)
		names := []string{"", "a", "b", "c", "d"}
		at := map[string]int{} // parts; 0: nothing has come of it
		divided := false
		where := func() string {
			last := -1
			for _, n := range at {
				if last < 0 || n < last {
					last = n
				}
			}
			if last <= 0 {
				return ""
			}
			return strconv.Itoa(last)
		}
		var (
			frozen store.Reader[string, *part]
			stood  string
		)
		for step := range 200 {
			name := names[rng.IntN(len(names))]
			_, known := at[name]
			switch op := rng.IntN(10); {
			case op == 0:
				s.feeder().Part(name).End()
				divided = true
				delete(at, name)
			case op < 3:
				some := []string{name, names[rng.IntN(len(names))]}[:rng.IntN(3)]
				s.feeder().AddParts(some...)
				divided = true
				for _, name := range some {
					at[name] += 0
				}
			case known:
				n, version := rng.IntN(3), ""
				if at[name] += rng.IntN(5); at[name] > 0 {
					version = strconv.Itoa(at[name])
				}
				s.apply(name, version, func(b *store.Batch[string, *part]) {
					if n > 0 {
						b.Set(&part{key: fmt.Sprint("k", n)})
					}
				})
			}
			if got := s.Reader().ResourceVersion(); got != where() {
				t.Fatalf("seed %d, step %d: at %q, want %q of %v", seed, step, got, where(), at)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			reached := s.Reader().WaitFor(ctx, "3") == nil
			if n, _ := strconv.Atoi(where()); reached != (n >= 3 || divided && len(at) == 0) {
				t.Fatalf("seed %d, step %d: 3 is reached: %v, at %v", seed, step, reached, at)
			}
			if got := frozen.ResourceVersion(); got != stood {
				t.Fatalf("seed %d, step %d: a snapshot has moved from %q to %q", seed, step, stood, got)
			}
			if rng.IntN(4) == 0 {
				frozen, stood = s.Reader().Snapshot(), where()
			}
		}
	}
}

// A wait follows the parts: it waits for those that are added, and no longer for those that end.
func TestWaitForParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFed(t)
		r := s.Reader()
		ended := s.begin(r.WaitFor, "5") // before there are any
		s.feeder().AddParts("a", "b")
		s.apply("a", "5")
		select {
		case err := <-ended:
			t.Fatalf("b is to be waited for: %v", err)
		default:
		}
		s.apply("b", "70")
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if a, none := s.feeder().Part("a").ResourceVersion(), s.feeder().Part("c").ResourceVersion(); a != "5" || none != "" {
			t.Errorf("a is at %q, c at %q", a, none)
		}
		ended = s.begin(r.WaitFor, "50")
		s.apply("a", "3", rewind)
		if err := <-ended; !errors.Is(err, store.ErrRewound) {
			t.Errorf("one has gone backward: %v", err)
		}
		s.apply("a", "10")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := r.WaitFor(ctx, "60"); !errors.Is(err, context.DeadlineExceeded) ||
			!strings.Contains(err.Error(), `source a is at "10"`) {
			t.Errorf("ended with %v", err)
		}
		ended = s.begin(r.WaitFor, "60")
		s.feeder().Part("a").End()
		if err := <-ended; err != nil {
			t.Errorf("the part that is behind has ended: %v", err)
		}
		ended = s.begin(r.WaitFor, "80")
		s.apply("b", "odd")
		if err := <-ended; err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a version that has no order: %v", err)
		}
	})
}

// Waits and Epochs from before a source goes backward and gets parts end alike.
func TestWaitThatBeganBeforeTheParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for want, version := range map[error]string{nil: "7", store.ErrRewound: "5"} {
			s := store.New(func(p *part) string { return p.key })
			bookmark(s, "6")
			f := fed{s, t}
			epoch, wait := s.Reader().Epoch(), f.begin(s.Reader().WaitFor, "7")
			f.feeder().AddParts("a")
			if want == nil {
				f.apply("a", version)
			} else {
				f.apply("a", version, rewind)
			}
			if err := <-wait; !errors.Is(err, want) {
				t.Errorf("the wait ended with %v, want %v", err, want)
			}
			if reached, err := s.Reader().Reached(epoch, "7"); !errors.Is(err, want) || reached != (want == nil) {
				t.Errorf("7 is reached: %v, %v; want %v", reached, err, want)
			}
		}
	})
}
