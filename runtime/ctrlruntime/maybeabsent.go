// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// MayBeAbsent says that the server may not serve the type of obj, as resource with scope. These cannot be asked of a
// server without the type, so the cache asks no RESTMapper for the type:
//
//	NewCache: ctrlruntime.NewCacheWith(
//		ctrlruntime.MayBeAbsent(&monitoringv1.ServiceMonitor{}, "servicemonitors", meta.RESTScopeNamespace)),
//
// While the type is absent, the cache has synced, and controllers that watch the type start. Get and List return an
// error for which meta.IsNoMatchError is true. When the type is installed, its objects come within about ten
// seconds, or at once after [Wake]. When it is removed, they are deleted. Informers, handlers and indexes stay. If
// the type comes back with another scope, its informers report an error until the program is restarted.
//
// The package documentation of informer says how absence is found out. Types that are not listed behave as in
// controller-runtime's cache.
func MayBeAbsent(obj client.Object, resource string, scope meta.RESTScope) CacheOption {
	return CacheOption{func(c *managedCache) error {
		kind, err := apiutil.GVKForObject(obj, c.opts.Scheme)
		if err != nil {
			return fmt.Errorf("MayBeAbsent of %T: %w; add the type to the scheme, or set the kind of obj", obj, err)
		}
		c.optional[kind] = &meta.RESTMapping{
			Resource: kind.GroupVersion().WithResource(resource), GroupVersionKind: kind, Scope: scope,
		}
		return nil
	}}
}

// Wake has c, if it is from [NewCacheWith], ask at once for each absent type whether the server serves it.
func Wake(c cache.Cache) {
	own, ok := c.(*managedCache)
	if !ok {
		return
	}
	own.mu.RLock()
	defer own.mu.RUnlock()
	for _, all := range own.informers {
		for _, m := range all.byNamespace {
			clientgo.Wake(m)
		}
	}
}

// optionalMapper is a RESTMapper that knows the types of MayBeAbsent, and the kinds of their lists: controller-runtime's
// cache of several namespaces asks for the kind of the list that it reads.
type optionalMapper struct {
	meta.RESTMapper
	optional map[schema.GroupVersionKind]*meta.RESTMapping
}

func (m optionalMapper) RESTMapping(kind schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	for _, version := range versions {
		for _, name := range []string{kind.Kind, strings.TrimSuffix(kind.Kind, "List")} {
			if mapping := m.optional[schema.GroupVersionKind{Group: kind.Group, Version: version, Kind: name}]; mapping != nil {
				return mapping, nil
			}
		}
	}
	return m.RESTMapper.RESTMapping(kind, versions...)
}

// unlessAbsent returns err, the result of a read of obj, or the error for a kind that the server does not serve.
func (c *managedCache) unlessAbsent(obj runtime.Object, err error) error {
	if len(c.optional) == 0 {
		return err
	}
	key, unknown := c.keyOf(obj)
	if unknown != nil || c.optional[key.kind] == nil {
		return err
	}
	if _, held := c.heldRead[key.kind]; held {
		key.form = metadata
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if all := c.informers[key]; all != nil {
		for _, m := range all.byNamespace {
			if present, _ := clientgo.Present(m); !present && m.hasSynced() {
				return &meta.NoKindMatchError{GroupKind: key.kind.GroupKind(), SearchedVersions: []string{key.kind.Version}}
			}
		}
	}
	return err
}

// WhenPresent returns a source for a controller that adds requests each time that the server begins to serve the
// type of obj, which is one of [MayBeAbsent]. The objects of the type are then in c. Use it if a controller creates
// objects of the type, since nothing else happens when a type without objects is installed:
//
//	WatchesRawSource(ctrlruntime.WhenPresent(mgr.GetCache(), &monitoringv1.ServiceMonitor{}, all))
func WhenPresent(
	c cache.Cache, obj client.Object, requests func(context.Context) []reconcile.Request,
) source.Source {
	return source.Func(func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		shared, err := c.GetInformer(ctx, obj, cache.BlockUntilSynced(false))
		if err != nil {
			return err
		}
		i, ok := shared.(toolscache.SharedInformer)
		if !ok || !isOptional(c, obj) {
			return fmt.Errorf("WhenPresent of %T: it is no type of MayBeAbsent that the cache reads by one informer", obj)
		}
		go func() {
			for ctx.Err() == nil {
				present, changed := clientgo.Present(i)
				if present {
					for _, r := range requests(ctx) {
						queue.Add(r)
					}
				}
				select {
				case <-changed:
				case <-ctx.Done():
				}
			}
		}()
		return nil
	})
}

func isOptional(c cache.Cache, obj client.Object) bool {
	own, ok := c.(*managedCache)
	if !ok {
		return false
	}
	key, err := own.keyOf(obj)
	return err == nil && own.optional[key.kind] != nil
}
