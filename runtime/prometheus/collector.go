// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package prometheus

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
)

// NewCollector returns a collector of the metrics in set. It is unchecked, as
// prometheus.Collector defines it: Describe sends nothing, because series come and go
// with their informers. It is safe for concurrent use.
func NewCollector(set *metrics.Set) prometheus.Collector { return &collector{set: set} }

type collector struct {
	set   *metrics.Set
	descs sync.Map // *metrics.Metric → *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c *collector) Collect(ch chan<- prometheus.Metric) {
	for _, s := range c.set.Collect() {
		switch desc := c.desc(s.Metric); s.Metric.Kind {
		case metrics.Histogram:
			d := s.Distribution
			ch <- prometheus.MustNewConstHistogram(desc, d.Count(), d.Sum.Seconds(), cumulative(d), s.Values...)
		case metrics.Counter:
			ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, s.Value, s.Values...)
		default:
			ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, s.Value, s.Values...)
		}
	}
}

// cumulative returns the buckets of d as Prometheus defines them: each counts all
// durations up to its bound.
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

func (c *collector) desc(m *metrics.Metric) *prometheus.Desc {
	desc, ok := c.descs.Load(m)
	if !ok {
		desc, _ = c.descs.LoadOrStore(m, prometheus.NewDesc(m.Name, m.Help, m.Labels, nil))
	}
	return desc.(*prometheus.Desc)
}
