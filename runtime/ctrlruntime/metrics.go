// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/prometheus"
)

// ServeMetrics makes managers serve the metrics of informers, beside those of controller-runtime.
// Call it once for each factory:
//
//	ctrlruntime.ServeMetrics(informers.Stats)
func ServeMetrics(read func() []informer.Stats) {
	ctrlmetrics.Registry.MustRegister(prometheus.NewCollector(read))
}
