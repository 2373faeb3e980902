// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

func TestMetrics(t *testing.T) {
	const objects = "indexergen_informer_objects"
	api := runtimetest.NewServer[*corev1.Secret]()
	api.Set(newSecret("a", nil))
	i := run(t, api)
	ctrlruntime.ServeMetrics(func() []informer.Stats { return []informer.Stats{i.Stats()} })
	if err := i.WaitForSync(t.Context()); err != nil {
		t.Fatal(err)
	}
	families, err := ctrlmetrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == objects {
			if got := family.GetMetric()[0].GetGauge().GetValue(); got != 1 {
				t.Errorf("%v objects", got)
			}
			return
		}
	}
	t.Errorf("the registry does not have %s", objects)
}
