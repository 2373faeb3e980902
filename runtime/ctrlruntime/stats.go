// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

// Stats returns a function that returns statistics of the informers of c, for the collector of package prometheus. The
// manager then serves them with its own metrics:
//
//	metrics.Registry.MustRegister(prometheus.NewCollector(ctrlruntime.Stats(mgr.GetCache())))
//
// metrics is package sigs.k8s.io/controller-runtime/pkg/metrics. Each type is an informer, and each configured namespace
// a source of it. The informers of metadata and of unstructured objects have the names "metadata" and "unstructured". A
// cache that is not from [NewCache] has no informers of ours.
func Stats(c cache.Cache) func() []informer.Stats {
	return func() (all []informer.Stats) {
		if own := managed(c); own != nil {
			for _, i := range own.Informers() {
				stats, _ := clientgo.Stats(i)
				stats.Name = string(i.Form)
				all = append(all, stats)
			}
		}
		return all
	}
}
