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
	if own == nil {
		if c.WaitForCacheSync(ctx) {
			return nil
		}
		return notSynced(ctx)
	}
	if own.Cache.WaitForCacheSync(ctx) {
		return nil
	}
	return own.unsynced(ctx)
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
	if c.Cache.WaitForCacheSync(ctx) {
		return true
	}
	if !errors.Is(ctx.Err(), context.Canceled) { // by the end of the manager
		log.FromContext(ctx).Error(c.unsynced(ctx), "The cache has not synced")
	}
	return false
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
