// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlabsent

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
	"github.com/indexer-gen/indexer-gen/runtime/discovery"
)

// MayBeAbsent says that the server may not serve the type of obj, as resource with scope. A server without the
// type knows neither, so the cache does not ask its RESTMapper:
//
//	NewCache: ctrlruntime.NewCacheWith(
//		ctrlabsent.MayBeAbsent(&monitoringv1.ServiceMonitor{}, "servicemonitors", meta.RESTScopeNamespace)),
//
// While the type is absent, the cache has synced, and controllers that watch the type start. Get and List return an
// error for which meta.IsNoMatchError is true. When the type is installed, its objects come within about ten
// seconds, or at once after [Wake]. When it is removed, they are deleted. Informers, handlers and indexes stay. If
// the type comes back with another scope, its informers report an error until the program is restarted.
//
// The package documentation of informer says how absence is found out. Types that are not listed behave as in
// controller-runtime's cache.
func MayBeAbsent(obj client.Object, resource string, scope meta.RESTScope) ctrlruntime.CacheOption {
	return layer.Option(func(s *layer.Settings) error {
		kind, err := apiutil.GVKForObject(obj, s.Options.Scheme)
		if err != nil {
			return fmt.Errorf("MayBeAbsent of %T: %w; add the type to the scheme, or set the kind of obj", obj, err)
		}
		layerOf(s).optional[kind] = &meta.RESTMapping{
			Resource: kind.GroupVersion().WithResource(resource), GroupVersionKind: kind, Scope: scope,
		}
		return nil
	})
}

// absence is the layer of MayBeAbsent.
type absence struct {
	*layer.Settings
	optional map[schema.GroupVersionKind]*meta.RESTMapping
	prober   *discovery.Prober
}

// layerOf returns the layer in s, which is the last one. It adds the layer if there is none.
func layerOf(s *layer.Settings) *absence {
	if n := len(s.Layers); n > 0 {
		if a, ok := s.Layers[n-1].(*absence); ok {
			return a
		}
	}
	a := &absence{
		s, map[schema.GroupVersionKind]*meta.RESTMapping{}, discovery.New(s.Conn.Client, s.Conn.BaseURL, s.Conn.UserAgent),
	}
	s.Options.Mapper = optionalMapper{s.Options.Mapper, a.optional}
	s.Layers = append(s.Layers, a)
	return a
}

// Informer implements layer.Layer.
func (a *absence) Informer(i *layer.Informer) {
	if mapping := a.optional[i.Kind]; mapping != nil {
		for _, part := range i.Parts {
			part.Source.Served = a.prober.Served(mapping.Resource, mapping.Scope)
		}
	}
}

// Wrap implements layer.Layer.
func (a *absence) Wrap(c layer.Cache) (layer.Cache, error) { return &optionalCache{c, a}, nil }

// Wake has c, if it is a cache with types of [MayBeAbsent], ask at once for each absent type whether the server
// serves it.
func Wake(c cache.Cache) {
	if own, ok := c.(*optionalCache); ok {
		for _, i := range own.Informers() {
			clientgo.Wake(i)
		}
	}
}

// optionalMapper is a RESTMapper that knows the types of MayBeAbsent.
type optionalMapper struct {
	meta.RESTMapper
	optional map[schema.GroupVersionKind]*meta.RESTMapping
}

func (m optionalMapper) RESTMapping(kind schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	for _, version := range versions {
		if mapping := m.optional[kind.WithVersion(version)]; mapping != nil {
			return mapping, nil
		}
	}
	return m.RESTMapper.RESTMapping(kind, versions...)
}

// optionalCache is a cache with types of MayBeAbsent.
type optionalCache struct {
	layer.Cache
	*absence
}

// Get implements client.Reader.
func (c *optionalCache) Get(ctx context.Context, key client.ObjectKey, out client.Object, opts ...client.GetOption) error {
	return c.unlessAbsent(out, &key.Namespace, c.Cache.Get(ctx, key, out, opts...))
}

// List implements client.Reader.
func (c *optionalCache) List(ctx context.Context, out client.ObjectList, opts ...client.ListOption) error {
	var options client.ListOptions
	options.ApplyOptions(opts)
	var namespace *string
	if options.Namespace != "" {
		namespace = &options.Namespace
	}
	return c.unlessAbsent(out, namespace, c.Cache.List(ctx, out, opts...))
}

// unlessAbsent returns err, the result of a read of obj in a namespace, or in all if namespace is nil. If the type is
// absent in one that was read, it returns the error for a kind that the server does not serve.
func (c *optionalCache) unlessAbsent(obj runtime.Object, namespace *string, err error) error {
	key, unknown := c.KeyOf(obj)
	if unknown != nil || c.optional[key.Kind] == nil {
		return err
	}
	i := c.InformerOf(obj)
	if i == nil {
		return err
	}
	for name := range i.Parts {
		wasRead := namespace == nil || name == layer.ConfiguredNamespace(i.Parts, *namespace)
		if wasRead && clientgo.IsPartAbsent(i, name) {
			return &meta.NoKindMatchError{GroupKind: key.Kind.GroupKind(), SearchedVersions: []string{key.Kind.Version}}
		}
	}
	return err
}

// WhenPresent returns a source for a controller that adds requests each time that the server begins to serve the
// type of obj, which is one of [MayBeAbsent]. The objects of the type are then in c. Use it if a controller creates
// objects of the type, since nothing else happens when a type without objects is installed:
//
//	WatchesRawSource(ctrlabsent.WhenPresent(mgr.GetCache(), &monitoringv1.ServiceMonitor{}, all))
func WhenPresent(
	c cache.Cache, obj client.Object, requests func(context.Context) []reconcile.Request,
) source.Source {
	return source.Func(func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		if !isOptional(c, obj) {
			return fmt.Errorf("WhenPresent of %T: it is no type of MayBeAbsent in the options of the cache", obj)
		}
		if _, err := c.GetInformer(ctx, obj, cache.BlockUntilSynced(false)); err != nil {
			return err
		}
		i := c.(layer.Cache).InformerOf(obj) // that of the metadata for a type of HoldRead
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
	own, ok := c.(*optionalCache)
	if !ok {
		return false
	}
	key, err := own.KeyOf(obj)
	return err == nil && own.optional[key.Kind] != nil
}
