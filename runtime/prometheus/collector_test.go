// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package prometheus_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	client "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"github.com/indexer-gen/indexer-gen/runtime/prometheus"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

type object = *metav1.PartialObjectMetadata

// scrape returns the page that a Prometheus server reads.
func scrape(registry *client.Registry) string {
	page := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).
		ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
	return page.Body.String()
}

// TestInformerMetrics scrapes a running informer. When the informer has ended, the page
// is empty.
func TestInformerMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := runtimetest.NewServer[object]()
		server.Set(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}})
		set := metrics.NewSet()
		gvr := schema.GroupVersionResource{Group: "fleet.example.com", Version: "v1", Resource: "devices"}
		devices := informer.New(gvr, server, store.ForObjects[object](),
			informer.WithMetrics(set), informer.WithName(`all "of" them`))
		devices.AddEventHandler(informer.HandlerFuncs[object]{}, informer.WithHandlerName("h"))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ended := make(chan error, 1)
		go func() { ended <- devices.Run(ctx) }()
		synctest.Wait()

		registry := client.NewPedanticRegistry()
		if err := registry.Register(prometheus.NewCollector(set)); err != nil {
			t.Fatal(err)
		}
		if problems, err := testutil.GatherAndLint(registry); err != nil || len(problems) > 0 {
			t.Errorf("lint: %v, %v", problems, err)
		}
		page := scrape(registry)
		const labels = `informer="all \"of\" them",resource="devices.fleet.example.com/v1"`
		for _, line := range []string{
			"# TYPE indexergen_informer_objects gauge",
			"indexergen_informer_objects{" + labels + "} 1",
			"indexergen_informer_synced{" + labels + "} 1",
			`indexergen_informer_handler_duration_seconds_count{handler="h",` + labels + "} 1",
		} {
			if !strings.Contains(page, line+"\n") {
				t.Errorf("missing: %s", line)
			}
		}
		if t.Failed() {
			t.Log(page)
		}

		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if page := scrape(registry); page != "" {
			t.Errorf("after the informer has ended:\n%s", page)
		}
	})
}

// TestHistogram: buckets are cumulative, in seconds, and add up over sources.
func TestHistogram(t *testing.T) {
	set := metrics.NewSet()
	set.Add(calls(0, 3*time.Microsecond, time.Hour))
	set.Add(calls(time.Second))
	registry := client.NewPedanticRegistry()
	registry.MustRegister(prometheus.NewCollector(set))
	page := scrape(registry)
	for _, line := range []string{
		`call_duration_seconds_bucket{le="1.024e-06"} 1`,
		`call_duration_seconds_bucket{le="4.096e-06"} 2`,
		`call_duration_seconds_bucket{le="1.073741824"} 3`,
		`call_duration_seconds_bucket{le="+Inf"} 4`,
		`call_duration_seconds_sum 3601.000003`,
		`call_duration_seconds_count 4`,
	} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("missing: %s\n%s", line, page)
		}
	}
}

var callDuration = &metrics.Metric{
	Name: "call_duration_seconds",
	Help: "Duration of calls.",
	Kind: metrics.Histogram,
}

// durations is a source with one histogram.
type durations metrics.Timing

func calls(all ...time.Duration) *durations {
	var t metrics.Timing
	for _, d := range all {
		t.Observe(d)
	}
	return (*durations)(&t)
}

func (d *durations) Collect(emit func(metrics.Sample)) {
	emit(metrics.Sample{Metric: callDuration, Distribution: (*metrics.Timing)(d).Distribution()})
}

func ExampleNewCollector() {
	set := metrics.NewSet()
	set.Add(calls(time.Millisecond))
	registry := client.NewRegistry()
	registry.MustRegister(prometheus.NewCollector(set))

	families, err := registry.Gather()
	if err != nil {
		panic(err)
	}
	for _, f := range families {
		fmt.Println(f.GetName(), f.GetType(), f.Metric[0].Histogram.GetSampleCount())
	}
	// Output: call_duration_seconds HISTOGRAM 1
}
