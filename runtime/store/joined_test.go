// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

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

// The store is where the last of its joined streams is, whatever they do, and a snapshot of
// it stays there.
func TestJoinedStreamsAreReachedByTheLast(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := store.New(func(p *part) string { return p.key })
		streams := []string{"", "a", "b", "c", "d"}
		at := map[string]int{} // joined streams; 0: nothing has come of it
		joined := false
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
			stream := streams[rng.IntN(len(streams))]
			_, known := at[stream]
			switch op := rng.IntN(10); {
			case op == 0:
				var b store.Batch[string, *part]
				b.From(stream, older)
				b.Leave()
				if err := s.Apply(&b); err != nil {
					t.Fatal(err)
				}
				delete(at, stream)
			case op < 3:
				some := []string{stream, streams[rng.IntN(len(streams))]}[:rng.IntN(3)]
				s.Join(some...)
				joined = true
				for _, name := range some {
					at[name] += 0
				}
			case known:
				var b store.Batch[string, *part]
				b.From(stream, older)
				if n := rng.IntN(3); n > 0 {
					b.Set(&part{key: fmt.Sprint("k", n)})
				}
				at[stream] += rng.IntN(5)
				if at[stream] > 0 {
					b.ResourceVersion(strconv.Itoa(at[stream]))
				}
				if err := s.Apply(&b); err != nil {
					t.Fatal(err)
				}
			}
			if got := s.Reader().ResourceVersion(); got != where() {
				t.Fatalf("seed %d, step %d: at %q, want %q of %v", seed, step, got, where(), at)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			reached := s.Reader().WaitFor(ctx, "3") == nil
			if n, _ := strconv.Atoi(where()); reached != (n >= 3 || joined && len(at) == 0) {
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

func TestWaitForJoinedStreams(t *testing.T) {
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
		ended := make(chan error, 1)
		wait := func(f func(context.Context, string) error, rv string) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			t.Cleanup(cancel)
			go func() { ended <- f(ctx, rv) }()
			synctest.Wait()
		}
		r := s.Reader()
		wait(r.WaitForJoined, "5") // before any is joined
		s.Join("a", "b")
		apply("a", "5", nil)
		select {
		case err := <-ended:
			t.Fatalf("b is to be waited for: %v", err)
		default:
		}
		apply("b", "70", nil)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		wait(r.WaitFor, "50")
		apply("a", "3", func(b *store.Batch[string, *part]) { b.Replace(nil); b.Rewind() })
		if err := <-ended; !errors.Is(err, store.ErrRewound) {
			t.Errorf("one has gone backward: %v", err)
		}
		apply("other", "1", nil)
		wait(r.WaitFor, "3")
		if err := <-ended; !errors.Is(err, store.ErrWhichStream) || r.ResourceVersion() != "" {
			t.Errorf("another is not joined: %v, at %q", err, r.ResourceVersion())
		}
		wait(r.WaitForJoined, "10")
		apply("other", "2", func(b *store.Batch[string, *part]) { b.Replace(nil); b.Rewind() })
		apply("a", "10", nil)
		if err := <-ended; err != nil {
			t.Errorf("the other has gone backward: %v", err)
		}
		apply("other", "", (*store.Batch[string, *part]).Leave)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := r.WaitFor(ctx, "60"); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), `source a is at "10"`) {
			t.Errorf("ended with %v", err)
		}
		wait(r.WaitFor, "60")
		apply("b", "odd", nil)
		if err := <-ended; err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a version that has no order: %v", err)
		}
	})
}

// A batch that names no stream is of the unnamed one, joined or not.
func TestRewindOfTheUnnamedStreamThatIsJoined(t *testing.T) {
	s := store.New(func(p *part) string { return p.key })
	s.Join("")
	write := func(resourceVersion string, rewind bool) {
		var b store.Batch[string, *part]
		b.ResourceVersion(resourceVersion)
		if rewind {
			b.Rewind()
		}
		if err := s.Apply(&b); err != nil {
			t.Fatal(err)
		}
	}
	write("100", false)
	mark := s.Reader().Mark()
	write("50", true)
	if _, err := s.Reader().Reached(mark, "100"); !errors.Is(err, store.ErrRewound) {
		t.Errorf("got %v", err)
	}
}
