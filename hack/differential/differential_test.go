// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"flag"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

var (
	firstSeed = flag.Uint64("seed", 1, "the seed of the first stream; the others count up from it")
	streams   = flag.Uint64("streams", 2000, "how many streams")
)

func TestSameAsClientGo(t *testing.T) {
	silence()
	began := time.Now()
	end := *firstSeed + *streams
	var next atomic.Uint64
	next.Store(*firstSeed)
	var mu sync.Mutex
	var all tally
	t.Run("streams", func(t *testing.T) {
		for _, name := range []string{"a", "b"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				for !t.Failed() {
					seed := next.Add(1) - 1
					if seed >= end {
						return
					}
					s := randomScript(seed)
					count, err := play(t, s)
					mu.Lock()
					all.plus(count)
					if all.streams%10_000 == 0 {
						t.Logf("after %v: %s", time.Since(began).Round(time.Second), all)
					}
					mu.Unlock()
					if err != nil {
						small, err := shrink(t, s, err)
						t.Errorf("%s\n%v", small, err)
					}
				}
			})
		}
	})
	t.Logf("%v, %.1f streams a second", all, float64(all.streams)/time.Since(began).Seconds())
	if all.streams > 100 && all.same < all.outcomes {
		t.Error("most spans are compared by their outcome only: the streams are too wild to prove much")
	}
}

// silence keeps client-go from logging, and from sleeping after errors.
func silence() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	utilruntime.ErrorHandlers = nil
}

// shrink returns a script as small as it can be found in which the informers still
// differ, and how.
func shrink(t *testing.T, s script, err error) (script, error) {
	try := func(smaller script) bool {
		for range 3 { // backoff has jitter
			if _, e := play(t, smaller); e != nil {
				s, err = smaller, e
				return true
			}
		}
		return false
	}
	for shrunk := true; shrunk; {
		shrunk = false
		for size := max(1, len(s.steps)/2); size > 0; size /= 2 {
			for at := 0; at+size <= len(s.steps); {
				smaller := s
				smaller.steps = slices.Delete(slices.Clone(s.steps), at, at+size)
				if !try(smaller) {
					at += size
					continue
				}
				shrunk = true
			}
		}
		for at := 0; at < len(s.before); at++ {
			smaller := s
			smaller.before = slices.Delete(slices.Clone(s.before), at, at+1)
			shrunk = try(smaller) || shrunk
		}
		for _, f := range []func(*script){
			func(s *script) { s.objects-- }, func(s *script) { s.lag = 0 }, func(s *script) { s.resync = 0 }, func(s *script) { s.cached = true }, func(s *script) { s.streams = false },
		} {
			smaller := s
			f(&smaller)
			same := smaller.objects == s.objects && smaller.lag == s.lag && smaller.resync == s.resync &&
				smaller.cached == s.cached &&
				smaller.streams == s.streams
			shrunk = !same && smaller.objects >= 0 && try(smaller) || shrunk
		}
	}
	return s, err
}
