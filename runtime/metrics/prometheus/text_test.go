// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package prometheus_test

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"github.com/indexer-gen/indexer-gen/runtime/metrics/prometheus"
)

type samples []metrics.Sample

func (s samples) Collect(emit func(metrics.Sample)) {
	for _, one := range s {
		emit(one)
	}
}

// The text is what the format's specification has it be: values that need it are
// escaped, buckets are cumulative, and series go with what they are of.
func TestText(t *testing.T) {
	var timing metrics.Timing
	timing.Observe(time.Microsecond)
	timing.Observe(time.Microsecond)
	timing.Observe(time.Hour)
	set := metrics.NewSet()
	events := &metrics.Metric{Name: "x_events_total", Help: "Events \\ with\nlines.", Labels: []string{"source", "type"}}
	remove := set.Add(samples{
		{Metric: events, Values: []string{"a\"b\\c\nd", "ADDED"}, Value: 3},
		{Metric: events, Values: []string{"", "DELETED"}, Value: 1e9},
		{Metric: &metrics.Metric{Name: "x_age", Help: "Age.", Kind: metrics.Gauge}, Value: 0.25},
		{Metric: &metrics.Metric{Name: "x_took_seconds", Help: "Took.", Kind: metrics.Histogram, Labels: []string{"handler"}}, Values: []string{"h"}, Distribution: timing.Distribution()},
	})
	page := func() string {
		w := httptest.NewRecorder()
		prometheus.Handler(set).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		if got := w.Result().Header.Get("Content-Type"); got != "text/plain; version=0.0.4; charset=utf-8" {
			t.Errorf("Content-Type %q", got)
		}
		return w.Body.String()
	}
	got := page()
	for _, want := range []string{
		"# HELP x_age Age.\n# TYPE x_age gauge\nx_age 0.25\n",
		"# HELP x_events_total Events \\\\ with\\nlines.\n# TYPE x_events_total counter\n" +
			"x_events_total{source=\"\",type=\"DELETED\"} 1e+09\nx_events_total{source=\"a\\\"b\\\\c\\nd\",type=\"ADDED\"} 3\n",
		"# TYPE x_took_seconds histogram\nx_took_seconds_bucket{handler=\"h\",le=\"1.024e-06\"} 2\nx_took_seconds_bucket{handler=\"h\",le=\"4.096e-06\"} 2\n",
		"x_took_seconds_bucket{handler=\"h\",le=\"+Inf\"} 3\nx_took_seconds_sum{handler=\"h\"} 3600.000002\nx_took_seconds_count{handler=\"h\"} 3\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks\n%s", want)
		}
	}
	if t.Failed() {
		t.Logf("the page is\n%s", got)
	}
	remove()
	if got := page(); got != "" {
		t.Errorf("of what was removed, there is still\n%s", got)
	}
}

type broken struct{ error }

func (b broken) Write([]byte) (int, error) { return 0, b.error }

func TestWriteFails(t *testing.T) {
	why := errors.New("no")
	err := prometheus.Write(broken{why}, []metrics.Sample{{Metric: &metrics.Metric{Name: "x"}}})
	if !errors.Is(err, why) {
		t.Errorf("Write returned %v", err)
	}
}
