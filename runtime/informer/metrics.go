// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"strconv"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
)

// WithMetrics adds the metrics below to set while the informer runs. They are the values of
// [Informer.Stats].
func WithMetrics(set *metrics.Set) Option { return func(o *options) { o.metrics = set } }

func metric(kind metrics.Kind, merge metrics.Merge, name, help string, labels ...string) *metrics.Metric {
	return &metrics.Metric{
		Name: "indexergen_informer_" + name, Help: help, Kind: kind, Merge: merge,
		Labels: append([]string{"resource", "informer"}, labels...),
	}
}

// The metrics of an informer. All have the labels resource ("widgets.example.com/v1") and
// informer (of WithName); those of a source have source, "" if it is the only one.
var (
	MetricSynced = metric(metrics.Gauge, metrics.Min, "synced",
		"1 once the first list is in the store.")
	MetricObjects = metric(metrics.Gauge, metrics.Sum, "objects",
		"Objects in the store.")
	MetricIndexErrors = metric(metrics.Counter, metrics.Sum, "index_errors_total",
		"Objects for which an index function failed.", "index")

	MetricRequests = metric(metrics.Counter, metrics.Sum, "requests_total",
		"Requests to the source: list (each page), watch list, watch, and resume.", "source", "op")
	MetricListTimes = metric(metrics.Histogram, metrics.Sum, "list_duration_seconds",
		"Duration of complete lists, from the first request until delivery.", "source")
	MetricListed = metric(metrics.Gauge, metrics.Sum, "listed_objects",
		"Objects received by the current list, or else by the last one.", "source")
	MetricEvents = metric(metrics.Counter, metrics.Sum, "events_total",
		"Events of watches, by type.", "source", "type")
	MetricWatchEnds = metric(metrics.Counter, metrics.Sum, "watch_ends_total",
		"Watches that ended, by reason.", "source", "reason")
	MetricErrors = metric(metrics.Counter, metrics.Sum, "errors_total",
		"Errors of the source, by operation and reason.", "source", "op", "reason")
	MetricFailures = metric(metrics.Gauge, metrics.Max, "failures",
		"Consecutive failed attempts.", "source")
	MetricWaited = metric(metrics.Counter, metrics.Sum, "backoff_seconds_total",
		"Time spent waiting after failures.", "source")
	MetricRewinds = metric(metrics.Counter, metrics.Sum, "rewinds_total",
		"Lists older than the data already read.", "source")
	MetricNoWatchList = metric(metrics.Gauge, metrics.Max, "watch_list_off",
		"1 if the informer lists because the server cannot stream the list.", "source")
	MetricVersion = metric(metrics.Gauge, metrics.Max, "resource_version",
		"The resourceVersion reached, if it is a number.", "source")
	MetricHeard = metric(metrics.Gauge, metrics.Min, "last_heard_timestamp_seconds",
		"Time of the last event, bookmark or list.", "source")
	MetricBookmarked = metric(metrics.Gauge, metrics.Min, "last_bookmark_timestamp_seconds",
		"Time of the last bookmark.", "source")

	MetricPending = metric(metrics.Gauge, metrics.Sum, "handler_pending",
		"Pending and running calls of the handler.", "handler")
	MetricOldest = metric(metrics.Gauge, metrics.Max, "handler_oldest_seconds",
		"Age of the oldest pending call.", "handler")
	MetricCalls = metric(metrics.Histogram, metrics.Sum, "handler_duration_seconds",
		"Duration of the handler's calls.", "handler")
	MetricBlocked = metric(metrics.Counter, metrics.Sum, "handler_blocked_seconds_total",
		"Time that the informer waited for the handler.", "handler")
	MetricPanics = metric(metrics.Counter, metrics.Sum, "handler_panics_total",
		"Calls of the handler that panicked.", "handler")
)

// publish adds the informer to the set of WithMetrics until remove is called.
func (i *Informer[T]) publish() (remove func()) {
	if i.opts.metrics == nil {
		return func() {}
	}
	return i.opts.metrics.Add(i)
}

// Collect implements metrics.Source.
func (i *Informer[T]) Collect(emit func(metrics.Sample)) {
	s := i.Stats()
	e := emitter{emit: emit, labels: []string{s.Resource, s.Name}}
	e.value(MetricSynced, truth(s.Synced))
	e.value(MetricObjects, float64(s.Objects))
	for index, n := range s.IndexErrors {
		e.value(MetricIndexErrors, float64(n), index)
	}
	for _, one := range s.Sources {
		e.source(one)
	}
	for _, one := range s.Handlers {
		e.value(MetricPending, float64(one.Pending), one.Name)
		e.value(MetricOldest, one.Oldest.Seconds(), one.Name)
		e.distribution(MetricCalls, one.Calls, one.Name)
		e.value(MetricBlocked, one.Blocked.Seconds(), one.Name)
		e.value(MetricPanics, float64(one.Panics), one.Name)
	}
}

// emitter emits samples of one informer.
type emitter struct {
	emit   func(metrics.Sample)
	labels []string // of every sample
}

func (e emitter) values(labels []string) []string {
	return append(e.labels[:len(e.labels):len(e.labels)], labels...)
}

func (e emitter) value(m *metrics.Metric, v float64, labels ...string) {
	e.emit(metrics.Sample{Metric: m, Value: v, Values: e.values(labels)})
}

func (e emitter) distribution(m *metrics.Metric, d metrics.Distribution, labels ...string) {
	e.emit(metrics.Sample{Metric: m, Distribution: d, Values: e.values(labels)})
}

func (e emitter) source(s SourceStats) {
	for op, n := range s.Requests {
		e.value(MetricRequests, float64(n), s.Name, string(op))
	}
	for t, n := range s.Events {
		e.value(MetricEvents, float64(n), s.Name, string(t))
	}
	for reason, n := range s.WatchEnds {
		e.value(MetricWatchEnds, float64(n), s.Name, reason)
	}
	for kind, n := range s.Errors {
		e.value(MetricErrors, float64(n), s.Name, string(kind.Op), kind.Reason)
	}
	e.distribution(MetricListTimes, s.ListTimes, s.Name)
	e.value(MetricListed, float64(s.Progress.Objects), s.Name)
	e.value(MetricFailures, float64(s.Failures), s.Name)
	e.value(MetricWaited, s.Waited.Seconds(), s.Name)
	e.value(MetricRewinds, float64(s.Rewinds), s.Name)
	e.value(MetricNoWatchList, truth(s.NoWatchList), s.Name)
	if version, err := strconv.ParseFloat(s.ResourceVersion, 64); err == nil {
		e.value(MetricVersion, version, s.Name)
	}
	e.time(MetricHeard, s.Heard, s.Name)
	e.time(MetricBookmarked, s.Bookmarked, s.Name)
}

func (e emitter) time(m *metrics.Metric, t time.Time, labels ...string) {
	if !t.IsZero() {
		e.value(m, float64(t.UnixNano())/float64(time.Second), labels...)
	}
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
