// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package prometheus exports the metrics of informers to a registry of client_golang,
// for example controller-runtime's.
//
//	set := metrics.NewSet()
//	registry.MustRegister(prometheus.NewCollector(set))
//	informers := v1alpha1.NewInformers(sources, informer.WithMetrics(set))
//
// Every metric of package metrics is exported under its own name and labels. Counters
// and gauges stay what they are; durations are histograms in seconds. Values are read
// when the registry is gathered and at no other time.
//
// The package is a module of its own, so that the runtime does not depend on
// client_golang. It requires the lowest client_golang that works. The replace directive
// in its go.mod is for development in this repository; modules that require it do not
// see it.
package prometheus
