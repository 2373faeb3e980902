// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package metrics_test

import (
	"fmt"
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
		if got.Count() != 1 || got.Counts[want] != 1 || got.Max != max(d, 0) || got.Sum != max(d, 0) {
			t.Errorf("%v: got %v, want it at %d", d, got, want)
		}
	}
}

func TestQuantile(t *testing.T) {
	var timing metrics.Timing
	if d := timing.Distribution(); d.Quantile(.5) != 0 || d.Mean() != 0 ||
		(metrics.Distribution{}).Quantile(1) != 0 {
		t.Error("of nothing, something")
	}
	for range 99 {
		timing.Observe(3 * time.Microsecond)
	}
	timing.Observe(time.Hour)
	d := timing.Distribution()
	if q := d.Quantile(.5); q != 4096 {
		t.Errorf("half took %v", q)
	}
	if q := d.Quantile(.999); q != time.Hour {
		t.Errorf("all took %v", q)
	}
	if m := d.Mean(); m != (time.Hour+99*3*time.Microsecond)/100 {
		t.Errorf("mean %v", m)
	}
}

type source []metrics.Sample

func (s source) Collect(emit func(metrics.Sample)) {
	for _, one := range s {
		emit(one)
	}
}

// Series with equal labels are merged as their metric says. Removed sources have no series.
func TestSet(t *testing.T) {
	calls := &metrics.Metric{Name: "calls", Kind: metrics.Counter, Labels: []string{"by"}}
	age := &metrics.Metric{Name: "age", Kind: metrics.Gauge, Merge: metrics.Max}
	synced := &metrics.Metric{Name: "synced", Kind: metrics.Gauge, Merge: metrics.Min}
	took := &metrics.Metric{Name: "took", Kind: metrics.Histogram}
	var timing metrics.Timing
	timing.Observe(time.Second)
	of := func(n float64, by string) source {
		return source{
			{Metric: took, Distribution: timing.Distribution()},
			{
				Metric: calls,
				Values: []string{by},
				Value:  n,
			}, {Metric: calls, Values: []string{"all"}, Value: n},
			{Metric: age, Value: n}, {Metric: synced, Value: n},
		}
	}
	set := metrics.NewSet()
	show := func() (text string) {
		for _, s := range set.Collect() {
			text += fmt.Sprintf("%s %v %v %d; ", s.Metric.Name, s.Labels(), s.Value, s.Distribution.Count())
		}
		return text
	}
	if got := show(); got != "" {
		t.Errorf("an empty set has %s", got)
	}
	one := set.Add(of(1, "one"))
	set.Add(of(2, "two"))
	if got, want := show(), "age map[] 2 0; calls map[by:all] 3 0; calls map[by:one] 1 0; calls map[by:two] 2 0; synced map[] 1 0; took map[] 0 2; "; got != want {
		t.Errorf("got %s", got)
	}
	if timing.Distribution().Count() != 1 {
		t.Error("to merge has changed a source")
	}
	one()
	one()
	if got, want := show(), "age map[] 2 0; calls map[by:all] 2 0; calls map[by:two] 2 0; synced map[] 2 0; took map[] 0 1; "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// The zero Set is usable.
func TestZeroSet(t *testing.T) {
	var s metrics.Set
	if got := s.Collect(); len(got) != 0 {
		t.Errorf("an empty set has %v", got)
	}
	m := &metrics.Metric{Name: "m"}
	remove := s.Add(source{{Metric: m, Value: 1}})
	if got := s.Collect(); len(got) != 1 || got[0].Value != 1 {
		t.Errorf("got %v", got)
	}
	remove()
	if got := s.Collect(); len(got) != 0 {
		t.Errorf("what was removed is still there: %v", got)
	}
}
