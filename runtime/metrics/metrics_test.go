// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package metrics_test

import (
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A duration is counted in the bucket of the first bound that it does not exceed.
func TestTiming(t *testing.T) {
	for _, d := range []time.Duration{-1, 0, 1, 1024, 1025, 4096, 4097, time.Millisecond, time.Second, 68 * time.Second, 69 * time.Second, time.Hour} {
		var timing metrics.Timing
		timing.Observe(d)
		got := timing.Distribution()
		want, _ := slices.BinarySearch(got.Bounds(), d.Seconds())
		if got.Count() != 1 || got.Counts[want] != 1 || got.Sum != max(d, 0) {
			t.Errorf("%v: got %v, want it at %d", d, got, want)
		}
	}
}

// Plus adds two distributions and changes neither.
func TestPlus(t *testing.T) {
	var one, two metrics.Timing
	one.Observe(time.Second)
	two.Observe(time.Minute)
	a, b := one.Distribution(), two.Distribution()
	for _, sum := range []metrics.Distribution{a.Plus(b), b.Plus(a)} {
		if sum.Count() != 2 || sum.Sum != 61*time.Second {
			t.Errorf("got %v", sum)
		}
	}
	if (metrics.Distribution{}).Plus(a).Count() != 1 || a.Count() != 1 || b.Count() != 1 {
		t.Error("an operand has changed")
	}
}
