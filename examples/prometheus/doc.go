// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package prometheus has the metrics of informers be on the page of a registry of
// client_golang, beside those of the rest of a program: controller-runtime's, for
// example.
//
//	set := metrics.NewSet()
//	informers := v1alpha1.NewInformers(sources, informer.WithMetrics(set))
//	registry.MustRegister(prometheus.NewCollector(set))
//
// Copy collector.go: it is all there is to it, and your module has the version of
// client_golang that it wants. A program without a registry needs none of this, see package
// runtime/metrics/prometheus.
package prometheus
