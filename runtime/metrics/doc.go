// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package metrics reads the metrics of informers. It depends on no metrics library.
//
//	set := metrics.NewSet()
//	informers := v1alpha1.NewInformers(sources, informer.WithMetrics(set))
//	for _, s := range set.Collect() {
//		fmt.Println(s.Metric.Name, s.Labels(), s.Value)
//	}
//
// Informers always count requests, events, errors by reason, the queue of each handler and
// the duration of its calls. A [Set] contains the informers that were made with
// informer.WithMetrics. [Set.Collect] reads their counters; nothing runs between two calls.
//
// # Lifetime of series
//
// An informer is in the set while it runs. When it ends, its series disappear, and so do
// those of its handlers and sources. When a handler is removed, its series disappear. So
// informers that come and go leak nothing. (Kubernetes once removed its reflector metrics
// because they leaked: kubernetes/kubernetes#74636.)
//
// Series with the same metric and labels are merged as [Metric] says: counters are added,
// and the age of the oldest counts. To keep series apart, name informers (informer.WithName)
// and handlers (informer.WithHandlerName).
//
// The number of series is bounded. Labels are the names of informers, handlers and indexes,
// or come from fixed lists: operations, event types and reasons. Names of objects and error
// texts are never labels.
//
// # Adapters
//
// An adapter ranges over Collect and exports every sample, whatever its metric. It needs no
// change for new metrics. Module runtime/prometheus is the adapter for Prometheus'
// client_golang.
package metrics
