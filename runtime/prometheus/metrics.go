// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package prometheus

import "github.com/prometheus/client_golang/prometheus"

// metric describes one metric. merge combines two series that have the same labels; a histogram
// has none.
type metric struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	merge func(a, b float64) float64
}

func define(
	kind prometheus.ValueType, merge func(a, b float64) float64, name, help string, labels ...string,
) *metric {
	labels = append([]string{"resource", "informer"}, labels...)
	return &metric{prometheus.NewDesc("indexergen_informer_"+name, help, labels, nil), kind, merge}
}

func sum(a, b float64) float64      { return a + b }
func greatest(a, b float64) float64 { return max(a, b) }
func least(a, b float64) float64    { return min(a, b) }

const (
	counter = prometheus.CounterValue
	gauge   = prometheus.GaugeValue
)

// The metrics of an informer. All have the labels resource ("widgets.example.com/v1") and
// informer (of WithName). Those of a source have source, the name of its part. It is "" without parts, and for
// AllNamespaces beside other namespaces.
var (
	synced      = define(gauge, least, "synced", "1 once the first list is in the store.")
	present     = define(gauge, least, "present", "1 while the server serves the type and its first list is in the store.")
	objects     = define(gauge, sum, "objects", "Objects in the store.")
	indexErrors = define(counter, sum, "index_errors_total",
		"Objects for which an index function failed.", "index")

	requests = define(counter, sum, "requests_total",
		"Requests to the source: list (each page), watch list, watch, and resume.", "source", "op")
	listTimes = define(0, nil, "list_duration_seconds",
		"Duration of complete lists, from the first request until delivery.", "source")
	listed = define(gauge, sum, "listed_objects",
		"Objects received by the current list, or else by the last one.", "source")
	events = define(counter, sum, "events_total",
		"Events of watches, by type.", "source", "type")
	watchEnds = define(counter, sum, "watch_ends_total",
		"Watches that ended, by reason.", "source", "reason")
	failed = define(counter, sum, "errors_total",
		"Errors of the source, by operation and reason.", "source", "op", "reason")
	failures = define(gauge, greatest, "failures",
		"Consecutive failed attempts.", "source")
	waited = define(counter, sum, "backoff_seconds_total",
		"Time spent waiting after failures.", "source")
	rewinds = define(counter, sum, "rewinds_total",
		"Lists older than the data already read.", "source")
	noWatchList = define(gauge, greatest, "watch_list_off",
		"1 if the informer lists because the server cannot stream the list.", "source")
	version = define(gauge, greatest, "resource_version",
		"The resourceVersion reached, if it is a number.", "source")
	heard = define(gauge, least, "last_heard_timestamp_seconds",
		"Time of the last event, bookmark or list.", "source")
	bookmarked = define(gauge, least, "last_bookmark_timestamp_seconds",
		"Time of the last bookmark.", "source")

	pending = define(gauge, sum, "handler_pending",
		"Pending and running calls of the handler. For a coalescing one, at most so many.", "handler")
	oldest = define(gauge, greatest, "handler_oldest_seconds",
		"Age of the oldest pending call.", "handler")
	calls = define(0, nil, "handler_duration_seconds",
		"Duration of the handler's calls.", "handler")
	blocked = define(counter, sum, "handler_blocked_seconds_total",
		"Time that the informer waited for the handler.", "handler")
	panics = define(counter, sum, "handler_panics_total",
		"Calls of the handler that panicked.", "handler")
)
