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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
)

// managedInformer is the informer of a managedCache for one kind in one form.
type managedInformer struct {
	toolscache.SharedIndexInformer
	synced        <-chan struct{}
	kind          schema.GroupVersionKind
	clusterScoped bool
	parts         map[string]*layer.Part
	object        func(metav1.Object) metav1.Object // returns an object as readers see it; nil for the object itself
	copies        layer.Copier
}

// read returns an object as readers see it.
func (m *managedInformer) read(obj any) metav1.Object {
	if m.object != nil {
		return m.object(obj.(metav1.Object))
	}
	return obj.(metav1.Object)
}

// waitFor waits until a configured namespace is in the store, or all if it is nil.
func (m *managedInformer) waitFor(ctx context.Context, namespace *string) error {
	select {
	case <-m.synced:
		return nil
	default:
	}
	if namespace == nil || len(m.parts) == 1 {
		return clientgo.WaitForSync(ctx, m)
	}
	return clientgo.WaitForPart(ctx, m, partName(layer.Configured(m.parts, *namespace)))
}

// partName returns the name of the part of a configured namespace in the source of an informer.
func partName(namespace string) string {
	if namespace == cache.AllNamespaces {
		return "other namespaces"
	}
	return namespace
}

// informer returns the informer that was made for a key, or nil.
func (c *managedCache) informer(key layer.Key) *managedInformer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.informers[key]
}

// syncedIn returns the informer for obj, an object or a list, once the objects in a namespace are in its store, or all
// objects if namespace is nil. It makes the informer if there is none. Its errors are of the types that
// controller-runtime's cache returns.
func (c *managedCache) syncedIn(ctx context.Context, namespace *string, obj runtime.Object) (*managedInformer, error) {
	key, err := c.KeyOf(obj)
	if err != nil {
		return nil, err
	}
	m := c.informer(key)
	for m == nil {
		if err := checkNamespace(c.configuredNamespaces(key.Kind), namespace); err != nil {
			return nil, err
		}
		if c.Options.ReaderFailOnMissingInformer {
			return nil, &cache.ErrResourceNotCached{GVK: key.Kind}
		}
		example, err := c.newObject(key)
		if err != nil {
			return nil, err
		}
		if _, err := c.Cache.GetInformer(ctx, example, cache.BlockUntilSynced(false)); err != nil {
			return nil, err
		}
		m = c.informer(key)
	}
	if err := checkNamespace(m.parts, namespace); err != nil {
		return nil, err
	}
	if !c.started.Load() {
		return nil, &cache.ErrCacheNotStarted{}
	}
	if err := m.waitFor(ctx, namespace); err != nil {
		timeout := apierrors.NewTimeoutError(fmt.Sprintf("failed waiting for %T Informer to sync", obj), 0)
		return nil, fmt.Errorf("%w: %w", timeout, err)
	}
	return m, nil
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
func (c *managedCache) Informers() (all []toolscache.SharedIndexInformer) {
	for _, m := range c.allInformers() {
		all = append(all, m.SharedIndexInformer)
	}
	return all
}

// allInformers returns the informers by kind.
func (c *managedCache) allInformers() []*managedInformer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.SortedFunc(maps.Values(c.informers), func(a, b *managedInformer) int {
		return cmp.Compare(a.kind.String(), b.kind.String())
	})
}

// InformerOf implements layer.Cache.
func (c *managedCache) InformerOf(obj runtime.Object) toolscache.SharedIndexInformer {
	if key, err := c.KeyOf(obj); err == nil {
		if m := c.informer(key); m != nil {
			return m.SharedIndexInformer
		}
	}
	return nil
}

// SyncedIn implements layer.Cache.
func (c *managedCache) SyncedIn(
	ctx context.Context, namespace string, obj runtime.Object,
) (toolscache.SharedIndexInformer, error) {
	m, err := c.syncedIn(ctx, &namespace, obj)
	if err != nil {
		return nil, err
	}
	return m.SharedIndexInformer, nil
}
