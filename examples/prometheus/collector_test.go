// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package prometheus_test

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	client "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/examples/prometheus"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	text "github.com/indexer-gen/indexer-gen/runtime/metrics/prometheus"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// An informer that runs is in the registry, by the rules of Prometheus, with the same values
// as on the page of the runtime's own; when it has ended nothing is left of it.
func TestCollector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := runtimetest.NewServer[*fleet.Device]()
		server.Set(&fleet.Device{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}})
		set := metrics.NewSet()
		devices := fleet.NewDeviceInformer(server, informer.WithMetrics(set), informer.WithName("all \"of\" them"))
		devices.AddHandler(informer.HandlerFuncs[*fleet.Device]{}, informer.WithHandlerName("h"))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ended := make(chan error, 1)
		go func() { ended <- devices.Run(ctx) }()
		synctest.Wait()

		registry := client.NewPedanticRegistry()
		if err := registry.Register(prometheus.NewCollector(set)); err != nil {
			t.Fatal(err)
		}
		problems, err := testutil.GatherAndLint(registry)
		if err != nil || len(problems) > 0 {
			t.Errorf("the registry says %v, %v", problems, err)
		}
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		var page, collected bytes.Buffer
		if err := text.Write(&page, set.Collect()); err != nil {
			t.Fatal(err)
		}
		parser := expfmt.NewTextParser(model.UTF8Validation)
		parsed, err := parser.TextToMetricFamilies(&page)
		if err != nil {
			t.Fatalf("the runtime's own page cannot be read: %v", err)
		}
		for _, family := range families { // ordered by name
			if _, err := expfmt.MetricFamilyToText(&collected, family); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(parsed)) {
			for _, m := range parsed[name].GetMetric() { // a registry orders labels by name
				slices.SortFunc(m.GetLabel(), func(a, b *dto.LabelPair) int { return strings.Compare(a.GetName(), b.GetName()) })
			}
			if _, err := expfmt.MetricFamilyToText(&page, parsed[name]); err != nil {
				t.Fatal(err)
			}
		}
		if collected.String() != page.String() {
			t.Errorf("the registry has\n%s\nthe runtime's own page\n%s", &collected, &page)
		}
		for _, line := range []string{
			`indexergen_informer_objects{informer="all \"of\" them",resource="devices.fleet.example.com/v1alpha1"} 1`,
			`indexergen_informer_synced{informer="all \"of\" them",resource="devices.fleet.example.com/v1alpha1"} 1`,
			`indexergen_informer_handler_duration_seconds_count{handler="h",informer="all \"of\" them",resource="devices.fleet.example.com/v1alpha1"} 1`,
		} {
			if !strings.Contains(collected.String(), line+"\n") {
				t.Errorf("missing: %s", line)
			}
		}

		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if n, err := testutil.GatherAndCount(registry); n != 0 || err != nil {
			t.Errorf("%d series of an informer that has ended, %v", n, err)
		}
	})
}
