// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package metrics

// Kind is the kind of a metric.
type Kind uint8

// The kinds of metrics.
const (
	Counter   Kind = iota // only grows while its informer runs
	Gauge                 // can go up and down
	Histogram             // the distribution of durations, in seconds
)

// Merge says how two series with the same labels become one. Histograms are always added.
type Merge uint8

// The ways to merge series.
const (
	Sum Merge = iota
	Max
	Min
)

// Metric describes a metric. Do not change it.
type Metric struct {
	Name   string
	Help   string
	Kind   Kind
	Merge  Merge
	Labels []string // names of the labels
}

// Sample is one value of a metric, with the values of its labels.
type Sample struct {
	Metric       *Metric
	Values       []string     // of the labels, in the order of Metric.Labels
	Value        float64      // of a counter or gauge
	Distribution Distribution // of a histogram
}

// Labels returns the label values of the sample by label name.
func (s Sample) Labels() map[string]string {
	labels := make(map[string]string, len(s.Values))
	for i, name := range s.Metric.Labels {
		labels[name] = s.Values[i]
	}
	return labels
}

// merge merges other into s. Both have the same metric and labels.
func (s *Sample) merge(other Sample) {
	switch {
	case s.Metric.Kind == Histogram:
		s.Distribution.add(other.Distribution)
	case s.Metric.Merge == Max:
		s.Value = max(s.Value, other.Value)
	case s.Metric.Merge == Min:
		s.Value = min(s.Value, other.Value)
	default:
		s.Value += other.Value
	}
}
