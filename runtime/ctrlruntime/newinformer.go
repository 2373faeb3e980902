// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

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

// newInformer is the NewInformer of the embedded cache. The informer that it returns has a part for each configured
// namespace, and the shortest resync period of these.
func (c *managedCache) newInformer(
	_ toolscache.ListerWatcher, example runtime.Object, _ time.Duration, indexers toolscache.Indexers,
) toolscache.SharedIndexInformer {
	key, _ := c.KeyOf(example) // the embedded cache has read it
	i := &layer.Informer{Kind: key.Kind, Form: key.Form, Stored: example, Parts: map[string]*layer.Part{}}
	var namespaces map[string]bool
	namespaces, i.ClusterScoped = c.configuredNamespaces(key.Kind)
	var resource schema.GroupVersionResource
	var resync time.Duration
	for namespace, shares := range namespaces {
		planned, err := c.plan.informerIn(namespace, example)
		part := &layer.Part{Scope: planned.scope, Shares: shares}
		if part.Source = clientgo.Transform(part.Scope.Source(c.Conn, example), planned.transform); err != nil {
			part.Source = source.Source[metav1.Object]{ListerWatcher: layer.Failed{Err: err}}
		}
		i.Parts[namespace], resource = part, part.Scope.Resource
		if planned.resync > 0 && (resync == 0 || planned.resync < resync) {
			resync = planned.resync
		}
	}
	i.Copies = layer.NewCopier(example, key.Kind, i.Parts)
	for _, l := range c.Layers {
		l.Informer(i)
	}
	i.SharedIndexInformer = clientgo.NewInformer(resource, sourceOf(i.Parts), i.Stored, resync, indexers)
	if i.Wrap != nil {
		i.SharedIndexInformer = i.Wrap(i.SharedIndexInformer)
	}
	i.Synced = i.HasSyncedChecker()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.informers[key] = i
	return i.SharedIndexInformer
}

// sourceOf returns a source of parts, or that of all namespaces.
func sourceOf(parts map[string]*layer.Part) source.Source[metav1.Object] {
	if all := parts[cache.AllNamespaces]; all != nil && len(parts) == 1 {
		return all.Source
	}
	namespaces := source.NewNamespaces(slices.Collect(maps.Keys(parts))...)
	return source.ForEach(namespaces, func(name string) source.Source[metav1.Object] { return parts[name].Source })
}

// configuredNamespaces returns the namespaces of cache.Options for a kind, and whether readers share their objects
// (UnsafeDisableDeepCopy). It returns AllNamespaces if there are none, and for a cluster-scoped kind. The setting of a
// namespace applies first, then that of the kind.
func (c *managedCache) configuredNamespaces(kind schema.GroupVersionKind) (shares map[string]bool, clusterScoped bool) {
	own, byDefault := c.ByObject(kind), c.Options.DefaultNamespaces
	namespaces := byDefault
	if own.Namespaces != nil {
		namespaces = own.Namespaces
	}
	namespaced, err := apiutil.IsGVKNamespaced(kind, c.Options.Mapper)
	clusterScoped = !namespaced && err == nil // no informer of an unknown kind is made
	if len(namespaces) == 0 || clusterScoped {
		namespaces, byDefault = map[string]cache.Config{cache.AllNamespaces: {}}, nil
	}
	shares = map[string]bool{}
	for namespace, config := range namespaces {
		setting := cmp.Or(config.UnsafeDisableDeepCopy, own.UnsafeDisableDeepCopy,
			byDefault[namespace].UnsafeDisableDeepCopy, c.Options.DefaultUnsafeDisableDeepCopy)
		shares[namespace] = setting != nil && *setting
	}
	return shares, clusterScoped
}

// makeInformer has the embedded cache make the informer for a key, which calls newInformer.
func (c *managedCache) makeInformer(ctx context.Context, key layer.Key) (err error) {
	var example client.Object
	switch key.Form {
	case layer.Unstructured:
		example = &unstructured.Unstructured{}
	case layer.Metadata:
		example = &metav1.PartialObjectMetadata{}
	default:
		_, err = c.Cache.GetInformerForKind(ctx, key.Kind, cache.BlockUntilSynced(false))
		return err
	}
	example.GetObjectKind().SetGroupVersionKind(key.Kind)
	_, err = c.Cache.GetInformer(ctx, example, cache.BlockUntilSynced(false))
	return err
}
