// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
)

// informer returns the informer that was made for a key, or nil.
func (c *managedCache) informer(key layer.Key) *layer.Informer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.informers[key]
}

// SyncedIn implements layer.Cache. Its errors have the types of those that controller-runtime's cache returns.
func (c *managedCache) SyncedIn(ctx context.Context, namespace *string, obj runtime.Object) (*layer.Informer, error) {
	key, err := c.KeyOf(obj)
	if err != nil {
		return nil, err
	}
	i := c.informer(key)
	for i == nil {
		namespaces, _ := c.configuredNamespaces(key.Kind)
		if err := checkNamespace(namespaces, namespace); err != nil {
			return nil, err
		}
		if c.Options.ReaderFailOnMissingInformer {
			return nil, &cache.ErrResourceNotCached{GVK: key.Kind}
		}
		if err := c.makeInformer(ctx, key); err != nil {
			return nil, err
		}
		i = c.informer(key)
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
	if _, ok := byNamespace[layer.Configured(byNamespace, *namespace)]; !ok {
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
		return cmp.Compare(a.Kind.String(), b.Kind.String())
	})
}

// InformerOf implements layer.Cache.
func (c *managedCache) InformerOf(obj runtime.Object) *layer.Informer {
	key, _ := c.KeyOf(obj)
	return c.informer(key)
}
