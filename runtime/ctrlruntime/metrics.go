// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"sync"

	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"github.com/indexer-gen/indexer-gen/runtime/prometheus"
)

// Metrics returns a set whose metrics managers serve, beside those of controller-runtime:
//
//	informers := v1.NewInformers(sources, informer.WithMetrics(ctrlruntime.Metrics()))
//
// The set is in controller-runtime's metrics.Registry from the first call. Every call returns the same set.
var Metrics = sync.OnceValue(func() *metrics.Set {
	set := metrics.NewSet()
	ctrlmetrics.Registry.MustRegister(prometheus.NewCollector(set))
	return set
})
