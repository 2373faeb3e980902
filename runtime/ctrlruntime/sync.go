// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

func notSynced(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("the cache has not synced: %w", cause)
	}
	return errors.New("the cache has not synced")
}

// WaitForSync is WaitForCacheSync of c with an error. If c is from [NewCache], the error says which
// informers have not synced, and why.
func WaitForSync(ctx context.Context, c cache.Cache) error {
	own := managed(c)
	switch {
	case own == nil && c.WaitForCacheSync(ctx), own != nil && own.Cache.WaitForCacheSync(ctx):
		return nil
	case own != nil:
		return own.unsynced(ctx)
	}
	return notSynced(ctx)
}

// CacheReady returns a checker for AddReadyzCheck. Its error is that of [WaitForSync]. See [Runnable.Ready] for
// where the manager shows it.
//
//	err := mgr.AddReadyzCheck("cache", ctrlruntime.CacheReady(mgr.GetCache()))
func CacheReady(c cache.Cache) healthz.Checker {
	return func(req *http.Request) error {
		// A cache notices within moments that it has synced. Probes have a second by default.
		ctx, cancel := context.WithTimeoutCause(req.Context(), 200*time.Millisecond, errNotReady)
		defer cancel()
		return WaitForSync(ctx, c)
	}
}

// WaitForCacheSync implements cache.Informers. If it times out, it logs which informers have not synced,
// and why.
func (c *managedCache) WaitForCacheSync(ctx context.Context) bool {
	err := WaitForSync(ctx, c)
	if err != nil && !errors.Is(ctx.Err(), context.Canceled) { // by the end of the manager
		log.FromContext(ctx).Error(err, "The cache has not synced")
	}
	return err == nil
}

// unsynced returns an error that says why informers have not synced. ctx has ended.
func (c *managedCache) unsynced(ctx context.Context) error {
	var why []error
	for _, i := range c.Informers() {
		if err := clientgo.WaitForSync(ctx, i); err != nil {
			why = append(why, err)
		}
	}
	if len(why) == 0 {
		return notSynced(ctx)
	}
	return errors.Join(why...)
}

// Stats returns a function that returns statistics of the informers of c, for the collector of package prometheus. The
// manager then serves them with its own metrics:
//
//	metrics.Registry.MustRegister(prometheus.NewCollector(ctrlruntime.Stats(mgr.GetCache())))
//
// metrics is package sigs.k8s.io/controller-runtime/pkg/metrics. Each type is an informer, and each configured
// namespace a source of it. The name of the informer is the form of its objects: "structured", "unstructured" or
// "metadata". So the registry may have another collector, of emitted informers of the same types. Informers that have
// ended are left out. A cache that is not from [NewCache], or whose options have a NewInformer, has none. For the
// caches of several clusters, register each with WrapRegistererWith of client_golang and a label of its own.
func Stats(c cache.Cache) func() []informer.Stats {
	return func() (all []informer.Stats) {
		if own := managed(c); own != nil {
			for _, i := range own.Informers() {
				if stats, _ := clientgo.Stats(i); !i.IsStopped() {
					stats.Name = string(i.Form)
					all = append(all, stats)
				}
			}
		}
		return all
	}
}
