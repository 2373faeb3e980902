// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package prometheus has Prometheus scrape the metrics of informers:
//
//	set := metrics.NewSet()
//	informers := v1alpha1.NewInformers(sources, informer.WithMetrics(set))
//	http.Handle("/metrics/informers", prometheus.Handler(set))
//
// It writes the text format, version 0.0.4, itself, and needs no other module. A program
// that has a registry of client_golang, as those under controller-runtime do, registers a
// Collector instead, so that all its metrics are on one page; examples/prometheus is one,
// short enough to be copied.
//
// The names of the metrics begin with indexergen_informer_, as indexergen_informer_synced does;
// the variables Metric… of package informer are all there are.
//
// Values are read when they are asked for, and at no other time. The series of an
// informer go when it ends, those of a handler when it is removed.
package prometheus
