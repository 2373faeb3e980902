// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package prometheus

import (
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/metrics"
)

// NewCollector returns a collector of the statistics that read returns, usually the Stats method
// of a factory. It calls read when the registry is gathered. It is unchecked, as
// prometheus.Collector defines it: Describe sends nothing, because series come and go with their
// informers. It is safe for concurrent use if read is.
func NewCollector(read func() []informer.Stats) prometheus.Collector { return collector(read) }

type collector func() []informer.Stats

// Describe implements prometheus.Collector.
func (c collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c collector) Collect(ch chan<- prometheus.Metric) {
	all := make(samples)
	for _, s := range c() {
		all.add(&s)
	}
	for _, one := range all {
		m := one.metric
		if m.merge == nil {
			d := one.durations
			ch <- prometheus.MustNewConstHistogram(m.desc, d.Count(), d.Sum.Seconds(), cumulative(d), one.labels...)
			continue
		}
		ch <- prometheus.MustNewConstMetric(m.desc, m.kind, one.value, one.labels...)
	}
}

// sample is one value of a metric.
type sample struct {
	metric    *metric
	labels    []string
	value     float64
	durations metrics.Distribution // of a histogram
}

// samples are merged: a registry refuses two samples of a metric that have the same labels, such as
// those of two handlers without names.
type samples map[series]*sample

type series struct {
	metric *metric
	labels string
}

// of returns the sample with these labels, and whether it is new.
func (all samples) of(m *metric, labels []string) (s *sample, isNew bool) {
	id := series{m, strings.Join(labels, "\xff")}
	if s, ok := all[id]; ok {
		return s, false
	}
	s = &sample{metric: m, labels: labels}
	all[id] = s
	return s, true
}

// cumulative returns the buckets of d as Prometheus defines them: each counts all durations up to
// its bound.
func cumulative(d metrics.Distribution) map[float64]uint64 {
	buckets := make(map[float64]uint64, len(d.Counts))
	count := uint64(0)
	for i, bound := range d.Bounds() {
		if i < len(d.Counts) {
			count += d.Counts[i]
		}
		buckets[bound] = count
	}
	return buckets
}

// add adds the samples of one informer.
func (all samples) add(s *informer.Stats) {
	labeled := func(labels []string) []string { return append([]string{s.Resource, s.Name}, labels...) }
	value := func(m *metric, v float64, labels ...string) {
		if one, isNew := all.of(m, labeled(labels)); isNew {
			one.value = v
		} else {
			one.value = m.merge(one.value, v)
		}
	}
	durations := func(m *metric, d metrics.Distribution, labels ...string) {
		one, _ := all.of(m, labeled(labels))
		one.durations = one.durations.Plus(d)
	}
	at := func(m *metric, t time.Time, labels ...string) {
		if !t.IsZero() {
			value(m, float64(t.UnixNano())/float64(time.Second), labels...)
		}
	}
	value(synced, truth(s.Synced))
	value(present, truth(s.Present))
	value(objects, float64(s.Objects))
	for index, n := range s.IndexErrors {
		value(indexErrors, float64(n), index)
	}
	for _, one := range s.Handlers {
		value(pending, float64(one.Pending), one.Name)
		value(oldest, one.Oldest.Seconds(), one.Name)
		durations(calls, one.Calls, one.Name)
		value(blocked, one.Blocked.Seconds(), one.Name)
		value(panics, float64(one.Panics), one.Name)
	}
	for _, one := range s.Sources {
		for op, n := range one.Requests {
			value(requests, float64(n), one.Name, string(op))
		}
		for t, n := range one.Events {
			value(events, float64(n), one.Name, t.String())
		}
		for reason, n := range one.WatchEnds {
			value(watchEnds, float64(n), one.Name, reason)
		}
		for kind, n := range one.Errors {
			value(failed, float64(n), one.Name, string(kind.Op), kind.Reason)
		}
		durations(listTimes, one.ListTimes, one.Name)
		value(listed, float64(one.Progress.Objects), one.Name)
		value(failures, float64(one.Failures), one.Name)
		value(waited, one.Waited.Seconds(), one.Name)
		value(rewinds, float64(one.Rewinds), one.Name)
		value(noWatchList, truth(one.NoWatchList), one.Name)
		if n, err := strconv.ParseFloat(one.ResourceVersion, 64); err == nil {
			value(version, n, one.Name)
		}
		at(heard, one.Heard, one.Name)
		at(bookmarked, one.Bookmarked, one.Name)
	}
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
