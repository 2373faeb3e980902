// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package metrics hands out what informers count about themselves, without a
// dependency on any system of metrics.
//
// An informer counts whether or not anybody asks: requests, events, errors by reason,
// what waits for each handler and how long its calls take. A [Set] is where those
// informers meet that were made with informer.WithMetrics, and [Set.Collect] reads them
// all, when somebody asks and at no other time. So metrics that are off cost nothing,
// and no foreign code runs when an informer counts.
//
//	set := metrics.NewSet()
//	informers := v1alpha1.NewInformers(sources, informer.WithMetrics(set))
//	for _, s := range set.Collect() { fmt.Println(s.Metric.Name, s.Labels(), s.Value) }
//
// # Series come and go with their informer
//
// An informer is in the set while it runs. When it ends, all its series are gone, those
// of its handlers and sources too; a handler's go when it is removed. Nothing is kept for
// those that have gone, so informers that come and go leak nothing. (Kubernetes removed
// such metrics once because they did, kubernetes/kubernetes#74636.)
//
// Series of several informers that have the same labels become one, as the metric says:
// counters add up, of ages the oldest counts. Give informers names (informer.WithName)
// and handlers (informer.WithHandlerName) to tell them apart.
//
// # Adapters
//
// An adapter ranges over Collect and passes every sample on, whatever its metric. New
// metrics need no change in it. Module runtime/prometheus is the adapter for registries
// of Prometheus' client_golang.
//
// The number of series is bounded: labels are the names of informers, handlers and
// indexes, and of operations, event types and reasons out of fixed lists; never those
// of objects or texts of errors.
package metrics
