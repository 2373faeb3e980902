// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// informer returns the informer that was made for a key, or nil.
func (c *managedCache) informer(key layer.Key) *layer.Informer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.informers[key]
}

// EnsureSynced implements layer.Cache. Its errors have the types of those that controller-runtime's cache returns.
func (c *managedCache) EnsureSynced(ctx context.Context, namespace *string, obj runtime.Object) (*layer.Informer, error) {
	key, err := c.KeyOf(obj)
	if err != nil {
		return nil, err
	}
	i := c.informer(key)
	if i == nil {
		namespaces, _, err := c.configuredNamespaces(key.Kind)
		if err != nil {
			return nil, err
		}
		if err := checkNamespace(namespaces, namespace); err != nil {
			return nil, err
		}
		if c.Options.ReaderFailOnMissingInformer {
			return nil, &cache.ErrResourceNotCached{GVK: key.Kind}
		}
		if i, err = c.makeInformer(ctx, key); err != nil {
			return nil, err
		}
	}
	if err := checkNamespace(i.Parts, namespace); err != nil {
		return nil, err
	}
	if !c.started.Load() {
		return nil, &cache.ErrCacheNotStarted{}
	}
	if err := i.WaitIn(ctx, namespace); err != nil {
		timeout := apierrors.NewTimeoutError(fmt.Sprintf("failed waiting for %T Informer to sync", obj), 0)
		return nil, fmt.Errorf("%w: %w", timeout, err)
	}
	return i, nil
}

// checkNamespace returns an error if a namespace is none of those that are configured.
func checkNamespace[V any](byNamespace map[string]V, namespace *string) error {
	if namespace == nil {
		return nil
	}
	if _, ok := byNamespace[layer.ConfiguredNamespace(byNamespace, *namespace)]; !ok {
		return fmt.Errorf("namespace %q is an unknown namespace for the cache: add it to the Namespaces of ByObject or to "+
			"DefaultNamespaces in cache.Options", *namespace)
	}
	return nil
}

// Informers implements layer.Cache.
func (c *managedCache) Informers() []*layer.Informer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.SortedFunc(maps.Values(c.informers), func(a, b *layer.Informer) int {
		return cmp.Or(cmp.Compare(a.Kind.String(), b.Kind.String()), cmp.Compare(a.Form, b.Form))
	})
}

// InformerOf implements layer.Cache.
func (c *managedCache) InformerOf(obj runtime.Object) *layer.Informer {
	key, _ := c.KeyOf(obj)
	return c.informer(key)
}

// unpublishedInformer is an informer that the embedded cache adds, unless the mapper fails meanwhile. The cache holds a
// lock from NewInformer on, and calls GetIndexer last.
type unpublishedInformer struct {
	*layer.Informer
	publish func()
}

// GetIndexer implements toolscache.SharedIndexInformer.
func (c *unpublishedInformer) GetIndexer() toolscache.Indexer {
	c.publish()
	return c.Informer.GetIndexer()
}

// newInformer is the NewInformer of the embedded cache. The cache refuses an informer whose SetTransform returns an error,
// and returns the error.
func (c *managedCache) newInformer(
	_ toolscache.ListerWatcher, example runtime.Object, _ time.Duration, indexers toolscache.Indexers,
) toolscache.SharedIndexInformer {
	i, err := c.buildInformer(example, indexers)
	if err != nil {
		return &plannedInformer{err: err}
	}
	return &unpublishedInformer{i, sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.informers[i.Key] = i
	})}
}

// buildInformer returns an informer with a part for each configured namespace, and the shortest resync period of these.
func (c *managedCache) buildInformer(example runtime.Object, indexers toolscache.Indexers) (*layer.Informer, error) {
	key, _ := c.KeyOf(example) // the embedded cache has read it
	namespaces, clusterScoped, err := c.configuredNamespaces(key.Kind)
	if err != nil {
		return nil, err
	}
	i := &layer.Informer{
		Key: key, ClusterScoped: clusterScoped, Stored: example, Parts: map[string]*layer.Part{},
		Wrap:   func(informer toolscache.SharedIndexInformer) toolscache.SharedIndexInformer { return informer },
		Object: func(obj metav1.Object) metav1.Object { return obj },
	}
	var resource schema.GroupVersionResource
	var resync time.Duration
	for namespace, shared := range namespaces {
		planned, err := c.plan.informerIn(namespace, example)
		if err != nil {
			return nil, err
		}
		part := &layer.Part{Scope: planned.scope, UnsafeDisableDeepCopy: shared}
		part.Source = clientgo.Transform(part.Scope.Source(c.Conn, example.(metav1.Object)), planned.transform)
		i.Parts[namespace], resource = part, part.Scope.Resource
		if planned.resync > 0 && (resync == 0 || planned.resync < resync) {
			resync = planned.resync
		}
	}
	i.Copies = layer.NewCopier(example, key.Kind, i.Parts)
	for _, l := range c.Layers {
		l.Informer(i)
	}
	i.SharedIndexInformer = i.Wrap(clientgo.NewInformer(resource, sourceOf(i.Parts), i.Stored, resync, indexers))
	i.Synced = i.HasSyncedChecker()
	if handle := c.Options.DefaultWatchErrorHandler; handle != nil {
		err = i.SetWatchErrorHandlerWithContext(handle)
	}
	return i, err
}

// sourceOf returns a source of parts, or that of all namespaces.
func sourceOf(parts map[string]*layer.Part) source.Source[metav1.Object] {
	if all := parts[cache.AllNamespaces]; all != nil && len(parts) == 1 {
		return all.Source
	}
	namespaces := source.NewNamespaces(slices.Collect(maps.Keys(parts))...)
	return source.ForEach(namespaces, func(name string) source.Source[metav1.Object] { return parts[name].Source })
}

// configuredNamespaces returns the namespaces of cache.Options for a kind, with UnsafeDisableDeepCopy of each, and whether
// the kind is cluster-scoped. It returns AllNamespaces if there are none, and for a cluster-scoped kind. The setting of a
// namespace applies first, then that of the kind.
func (c *managedCache) configuredNamespaces(kind schema.GroupVersionKind) (map[string]bool, bool, error) {
	namespaced, err := apiutil.IsGVKNamespaced(kind, c.Options.Mapper)
	if err != nil {
		return nil, false, err
	}
	own, byDefault := c.ByObject(kind), c.Options.DefaultNamespaces
	namespaces := byDefault
	if own.Namespaces != nil {
		namespaces = own.Namespaces
	}
	if len(namespaces) == 0 || !namespaced {
		namespaces, byDefault = map[string]cache.Config{cache.AllNamespaces: {}}, nil
	}
	shared := map[string]bool{}
	for namespace, config := range namespaces {
		setting := cmp.Or(config.UnsafeDisableDeepCopy, own.UnsafeDisableDeepCopy,
			byDefault[namespace].UnsafeDisableDeepCopy, c.Options.DefaultUnsafeDisableDeepCopy)
		shared[namespace] = setting != nil && *setting
	}
	return shared, !namespaced, nil
}

// makeInformer has the embedded cache make the informer for a key, which calls newInformer, or return the one that it has.
func (c *managedCache) makeInformer(ctx context.Context, key layer.Key) (*layer.Informer, error) {
	var made cache.Informer
	var err error
	if key.Form == layer.Structured {
		made, err = c.Cache.GetInformerForKind(ctx, key.Kind, cache.BlockUntilSynced(false))
	} else {
		var example client.Object = &metav1.PartialObjectMetadata{}
		if key.Form == layer.Unstructured {
			example = &unstructured.Unstructured{}
		}
		example.GetObjectKind().SetGroupVersionKind(key.Kind)
		made, err = c.Cache.GetInformer(ctx, example, cache.BlockUntilSynced(false))
	}
	if err != nil {
		return nil, err
	}
	return made.(*unpublishedInformer).Informer, nil
}
