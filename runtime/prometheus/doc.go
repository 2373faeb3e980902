// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package prometheus exports the statistics of informers to a registry of client_golang, for
// example controller-runtime's.
//
//	informers := v1alpha1.NewInformers(sources)
//	registry.MustRegister(prometheus.NewCollector(informers.Stats))
//
// Values are read when the registry is gathered and at no other time. Durations are histograms in
// seconds. The file metrics.go lists the metrics. The files grafana.json and alerts.yaml have a dashboard for Grafana and
// four alert rules to copy.
//
// For the cache of a manager of controller-runtime, pass ctrlruntime.Stats(mgr.GetCache()).
//
// # Lifetime of series
//
// Factory.Stats returns the informers that run. When an informer ends, its series disappear, and so
// do those of its handlers and sources. So informers that come and go leak nothing.
//
// Series with the same labels are merged: counters are added, and of ages the oldest counts. To keep
// series apart, name informers (informer.WithName) and handlers (informer.WithHandlerName).
//
// The number of series is bounded. Labels are the names of informers, handlers and indexes, or come
// from fixed lists: operations, event types and reasons. Names of objects and error texts are never
// labels.
//
// The package is a module of its own, so that the runtime does not depend on client_golang. It
// requires the lowest client_golang that works. The replace directive in its go.mod is for
// development in this repository; modules that require it do not see it.
package prometheus
