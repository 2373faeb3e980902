// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package prometheus_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	client "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"github.com/indexer-gen/indexer-gen/runtime/prometheus"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
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
		gvr := schema.GroupVersionResource{Group: "fleet.example.com", Version: "v1", Resource: "devices"}
		devices := informer.New(gvr, server.Source(), store.ForObjects[object](),
			informer.WithName(`all "of" them`))
		devices.AddEventHandler(informer.HandlerFuncs[object]{}, informer.WithHandlerName("h"))
		factory := informer.NewFactory()
		informer.Share(factory, func() *informer.Informer[object] { return devices }).Get()
		factory.Start(t.Context())
		synctest.Wait()

		registry := client.NewPedanticRegistry()
		if err := registry.Register(prometheus.NewCollector(factory.Stats)); err != nil {
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

		factory.Shutdown()
		if page := scrape(registry); page != "" {
			t.Errorf("after the informer has ended:\n%s", page)
		}
	})
}

// TestHistogram: buckets are cumulative, in seconds, and add up over handlers of one name.
func TestHistogram(t *testing.T) {
	registry := client.NewPedanticRegistry()
	registry.MustRegister(prometheus.NewCollector(func() []informer.Stats {
		return []informer.Stats{
			{Handlers: []informer.HandlerStats{calls(0, 3*time.Microsecond, time.Hour), calls()}},
			{Handlers: []informer.HandlerStats{calls(time.Second)}},
		}
	}))
	page := scrape(registry)
	const name, labels = "indexergen_informer_handler_duration_seconds", `{handler="",informer="",resource=""`
	for _, line := range []string{
		name + `_bucket` + labels + `,le="1.024e-06"} 1`,
		name + `_bucket` + labels + `,le="4.096e-06"} 2`,
		name + `_bucket` + labels + `,le="1.073741824"} 3`,
		name + `_bucket` + labels + `,le="+Inf"} 4`,
		name + `_sum` + labels + `} 3601.000003`,
		name + `_count` + labels + `} 4`,
	} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("missing: %s\n%s", line, page)
		}
	}
}

// TestMerge: series of two informers with the same labels are added; of flags and times the worse
// counts.
func TestMerge(t *testing.T) {
	registry := client.NewPedanticRegistry()
	registry.MustRegister(prometheus.NewCollector(func() []informer.Stats {
		return []informer.Stats{
			{Synced: true, Objects: 1, Sources: []informer.SourceStats{{Stats: failures(2)}}},
			{Objects: 2, Sources: []informer.SourceStats{{Stats: failures(1)}}},
		}
	}))
	page := scrape(registry)
	for _, line := range []string{
		`synced{informer="",resource=""} 0`, `objects{informer="",resource=""} 3`,
		`failures{informer="",resource="",source=""} 2`,
	} {
		if !strings.Contains(page, "indexergen_informer_"+line+"\n") {
			t.Errorf("missing: %s\n%s", line, page)
		}
	}
}

// The dashboard and the alert rules use metrics that exist, with their labels.
func TestDashboardAndAlerts(t *testing.T) {
	everything := informer.Stats{
		IndexErrors: map[string]int64{"index": 1}, Handlers: []informer.HandlerStats{{}},
		Sources: []informer.SourceStats{{Stats: reflector.Stats{
			ResourceVersion: "1", Heard: time.Now(), Bookmarked: time.Now(),
			Requests: map[reflector.Op]int64{"list": 1}, Events: map[delta.Type]int64{delta.Added: 1},
			WatchEnds: map[string]int64{"reason": 1}, Errors: map[reflector.ErrorKind]int64{{}: 1},
		}}},
	}
	registry := client.NewPedanticRegistry()
	registry.MustRegister(prometheus.NewCollector(func() []informer.Stats { return []informer.Stats{everything} }))
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	labelsOf := map[string][]string{} // by metric
	for _, f := range families {
		labels := []string{"le"}
		for _, l := range f.Metric[0].Label {
			labels = append(labels, l.GetName())
		}
		labelsOf[f.GetName()], labelsOf[f.GetName()+"_bucket"] = labels, labels
	}
	metric, label := regexp.MustCompile(`indexergen_\w+`), regexp.MustCompile(`\{\{ ?(?:\$labels\.)?(\w+) ?\}\}`)
	by := regexp.MustCompile(`by \(([^)]*)\)`)
	check := func(text string) {
		var has, uses []string
		for _, name := range metric.FindAllString(text, -1) {
			if labelsOf[name] == nil {
				t.Errorf("there is no metric %s: %s", name, text)
			}
			has = append(has, labelsOf[name]...)
		}
		for _, found := range label.FindAllStringSubmatch(text, -1) {
			uses = append(uses, found[1])
		}
		for _, found := range by.FindAllStringSubmatch(text, -1) {
			uses = append(uses, strings.Split(found[1], ", ")...)
		}
		for _, name := range uses {
			if !slices.Contains(has, name) {
				t.Errorf("the metrics have no label %s: %s", name, text)
			}
		}
	}
	alerts, err := os.ReadFile("alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rules := strings.Split(string(alerts), "- alert:")[1:]
	if len(rules) != 4 {
		t.Errorf("%d alert rules", len(rules))
	}
	increase := regexp.MustCompile(`increase\((\w+)\[(\w+)\]\)`)
	for _, rule := range rules {
		check(rule)
		for _, found := range increase.FindAllStringSubmatch(rule, -1) {
			// The series of a counter begins with its first increase.
			if began := found[1] + " unless " + found[1] + " offset " + found[2]; !strings.Contains(rule, began) {
				t.Errorf("an alert misses the first value, without %q: %s", began, rule)
			}
		}
	}
	var dashboard struct {
		Panels []struct {
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	text, err := os.ReadFile("grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &dashboard); err != nil || len(dashboard.Panels) == 0 {
		t.Fatalf("%d panels, %v", len(dashboard.Panels), err)
	}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			check(target.Expr + " " + target.LegendFormat)
		}
	}
}

func failures(n int) (s reflector.Stats) {
	s.Failures = n
	return s
}

// calls returns the statistics of a handler whose calls took so long.
func calls(all ...time.Duration) informer.HandlerStats {
	var t metrics.Timing
	for _, d := range all {
		t.Observe(d)
	}
	return informer.HandlerStats{Calls: t.Distribution()}
}

func ExampleNewCollector() {
	factory := informer.NewFactory() // or the factory of an emitted package
	registry := client.NewRegistry()
	registry.MustRegister(prometheus.NewCollector(factory.Stats))

	families, err := registry.Gather()
	fmt.Println(len(families), err)
	// Output: 0 <nil>
}
