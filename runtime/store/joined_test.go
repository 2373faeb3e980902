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

// The version of the store is that of the joined stream that is furthest behind. That of a
// snapshot never changes.
func TestJoinedStreamsAreReachedByTheLast(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := newFed(t)
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
				s.apply(stream, "", leave)
				delete(at, stream)
			case op < 3:
				some := []string{stream, streams[rng.IntN(len(streams))]}[:rng.IntN(3)]
				s.feeder().Join(some...)
				joined = true
				for _, name := range some {
					at[name] += 0
				}
			case known:
				n, version := rng.IntN(3), ""
				if at[stream] += rng.IntN(5); at[stream] > 0 {
					version = strconv.Itoa(at[stream])
				}
				s.apply(stream, version, func(b *store.Batch[string, *part]) {
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
		s := newFed(t)
		r := s.Reader()
		ended := s.begin(r.WaitForJoined, "5") // before any is joined
		s.feeder().Join("a", "b")
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
		ended = s.begin(r.WaitFor, "50")
		s.apply("a", "3", rewind)
		if err := <-ended; !errors.Is(err, store.ErrRewound) {
			t.Errorf("one has gone backward: %v", err)
		}
		s.apply("other", "1")
		ended = s.begin(r.WaitFor, "3")
		if err := <-ended; !errors.Is(err, store.ErrWhichSource) || r.ResourceVersion() != "" {
			t.Errorf("another is not joined: %v, at %q", err, r.ResourceVersion())
		}
		ended = s.begin(r.WaitForJoined, "10")
		s.apply("other", "2", rewind)
		s.apply("a", "10")
		if err := <-ended; err != nil {
			t.Errorf("the other has gone backward: %v", err)
		}
		s.apply("other", "", leave)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := r.WaitFor(ctx, "60"); !errors.Is(err, context.DeadlineExceeded) ||
			!strings.Contains(err.Error(), `source a is at "10"`) {
			t.Errorf("ended with %v", err)
		}
		ended = s.begin(r.WaitFor, "60")
		s.apply("b", "odd")
		if err := <-ended; err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a version that has no order: %v", err)
		}
	})
}

// A batch without SetSource is of the unnamed source, joined or not.
func TestRewindOfTheUnnamedStreamThatIsJoined(t *testing.T) {
	s := store.New(func(p *part) string { return p.key })
	store.NewFeeder(s, nil).Join("")
	write := func(resourceVersion string, rewind bool) {
		var b store.Batch[string, *part]
		b.ResourceVersion(resourceVersion)
		if rewind {
			b.Rewind()
		}
		if _, err := s.Apply(&b); err != nil {
			t.Fatal(err)
		}
	}
	write("100", false)
	mark := s.Reader().Epoch()
	write("50", true)
	if _, err := s.Reader().Reached(mark, "100"); !errors.Is(err, store.ErrRewound) {
		t.Errorf("got %v", err)
	}
}

// WaitFor returns ErrWhichSource if the version may belong to any of several streams, named or
// unnamed.
func TestWhichStream(t *testing.T) {
	apply := func(s *store.Store[string, *part], stream, rv string, leave bool) {
		var b store.Batch[string, *part]
		b.SetSource(stream, nil)
		if leave {
			b.EndSource()
		}
		if rv != "" {
			b.ResourceVersion(rv)
		}
		if _, err := s.Apply(&b); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		first func(s *store.Store[string, *part])
		other string
	}{
		"beside one without a name": {func(s *store.Store[string, *part]) { apply(s, "", "5", false) }, "b"},
		"beside a joined one": {func(s *store.Store[string, *part]) {
			store.NewFeeder(s, nil).Join("a")
			apply(s, "a", "5", false)
		}, "b"},
		"without a name": {func(s *store.Store[string, *part]) {
			store.NewFeeder(s, nil).Join("a")
			apply(s, "a", "5", false)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := store.New(func(p *part) string { return p.key })
			r := s.Reader()
			test.first(s)
			for range 2 {
				for _, rv := range []string{"", "9"} { // before it has said anything, and after
					apply(s, test.other, rv, false)
					if err := r.WaitFor(t.Context(), "5"); !errors.Is(err, store.ErrWhichSource) {
						t.Errorf("beside another at %q: %v", rv, err)
					}
				}
				apply(s, test.other, "", true)
				if err := r.WaitFor(t.Context(), "5"); err != nil {
					t.Errorf("when that has left: %v", err)
				}
			}
		})
	}
}
