// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package metrics

// Kind is what kind of value a metric has.
type Kind uint8

// The kinds of metrics.
const (
	Counter   Kind = iota // only grows, while its informer runs
	Gauge                 // a state
	Histogram             // the distribution of durations, in seconds
)

// Merge says what becomes of two series that have the same labels. Histograms always add
// up.
type Merge uint8

// How series merge.
const (
	Sum Merge = iota
	Max
	Min
)

// Metric describes one metric. It must not be changed.
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
	Value        float64      // unless it is a histogram
	Distribution Distribution // if it is one
}

// Labels returns the labels of the sample, by name.
func (s Sample) Labels() map[string]string {
	labels := make(map[string]string, len(s.Values))
	for i, name := range s.Metric.Labels {
		labels[name] = s.Values[i]
	}
	return labels
}

// merge adds what other says to s, which has the same metric and labels.
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
