// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package prometheus

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
)

// NewCollector returns a collector of what is in set. Its series come and go with what they
// are of, so that it describes none beforehand.
func NewCollector(set *metrics.Set) prometheus.Collector { return &collector{set: set} }

type collector struct {
	set   *metrics.Set
	descs sync.Map // *metrics.Metric → *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	for _, s := range c.set.Collect() {
		switch desc := c.desc(s.Metric); s.Metric.Kind {
		case metrics.Histogram:
			buckets, upTo := make(map[float64]uint64, len(s.Distribution.Counts)), uint64(0)
			for i, bound := range s.Distribution.Bounds() {
				if i < len(s.Distribution.Counts) {
					upTo += s.Distribution.Counts[i]
				}
				buckets[bound] = upTo
			}
			to <- prometheus.MustNewConstHistogram(desc, s.Distribution.Count(), s.Distribution.Sum.Seconds(), buckets, s.Values...)
		case metrics.Counter:
			to <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, s.Value, s.Values...)
		default:
			to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, s.Value, s.Values...)
		}
	}
}

func (c *collector) desc(m *metrics.Metric) *prometheus.Desc {
	desc, ok := c.descs.Load(m)
	if !ok {
		desc, _ = c.descs.LoadOrStore(m, prometheus.NewDesc(m.Name, m.Help, m.Labels, nil))
	}
	return desc.(*prometheus.Desc)
}
