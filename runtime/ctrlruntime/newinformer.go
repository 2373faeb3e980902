// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"cmp"
	"fmt"
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
	key, err := c.KeyOf(example)
	i := &layer.Informer{
		Kind: key.Kind, ClusterScoped: c.isClusterScoped(key.Kind), Stored: example, Parts: map[string]*layer.Part{},
	}
	var resource schema.GroupVersionResource
	var resync time.Duration
	for namespace, shares := range c.configuredNamespaces(key.Kind) {
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
	for _, l := range c.Layers {
		l.Informer(i)
	}
	informer := clientgo.NewInformer(resource, sourceOf(i.Parts), i.Stored, resync, indexers)
	if i.Wrap != nil {
		informer = i.Wrap(informer)
	}
	m := &managedInformer{
		SharedIndexInformer: informer, synced: informer.HasSyncedChecker().Done(), kind: key.Kind,
		clusterScoped: i.ClusterScoped, parts: i.Parts, object: i.Object, copies: layer.NewCopier(example, key.Kind, i.Parts),
	}
	if i.Object != nil { // what it returns is not the object in the store, but has parts of it
		m.copies = layer.NewCopier(example, key.Kind, nil)
	}
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.informers[key] = m
	}
	return informer
}

// sourceOf returns a source of parts, or that of all namespaces.
func sourceOf(parts map[string]*layer.Part) source.Source[metav1.Object] {
	var names []string
	sources := map[string]source.Source[metav1.Object]{}
	for namespace, part := range parts {
		if len(parts) == 1 && namespace == cache.AllNamespaces {
			return part.Source
		}
		names, sources[partName(namespace)] = append(names, partName(namespace)), part.Source
	}
	return source.ForEach(source.NewNamespaces(names...), func(name string) source.Source[metav1.Object] {
		return sources[name]
	})
}

// isClusterScoped returns false for kinds that the server does not know. Their informers are not made.
func (c *managedCache) isClusterScoped(kind schema.GroupVersionKind) bool {
	namespaced, err := apiutil.IsGVKNamespaced(kind, c.Options.Mapper)
	return err == nil && !namespaced
}

// configuredNamespaces returns the namespaces of cache.Options for a kind, and whether readers share their objects
// (UnsafeDisableDeepCopy). It returns AllNamespaces if there are none. The setting of a namespace applies first, then
// that of the kind.
func (c *managedCache) configuredNamespaces(kind schema.GroupVersionKind) map[string]bool {
	own, opts := c.ByObject(kind), &c.Options
	namespaces := opts.DefaultNamespaces
	if own.Namespaces != nil {
		namespaces = own.Namespaces
	}
	isSet := func(settings ...*bool) bool {
		setting := cmp.Or(settings...)
		return setting != nil && *setting
	}
	if len(namespaces) == 0 || c.isClusterScoped(kind) {
		return map[string]bool{
			cache.AllNamespaces: isSet(own.UnsafeDisableDeepCopy, opts.DefaultUnsafeDisableDeepCopy),
		}
	}
	shares := map[string]bool{}
	for namespace, config := range namespaces {
		shares[namespace] = isSet(config.UnsafeDisableDeepCopy, own.UnsafeDisableDeepCopy,
			opts.DefaultNamespaces[namespace].UnsafeDisableDeepCopy, opts.DefaultUnsafeDisableDeepCopy)
	}
	return shares
}

// newObject returns an empty object.
func (c *managedCache) newObject(key layer.Key) (client.Object, error) {
	var obj client.Object
	switch key.Form {
	case layer.Unstructured:
		obj = &unstructured.Unstructured{}
	case layer.Metadata:
		obj = &metav1.PartialObjectMetadata{}
	default:
		created, err := c.Options.Scheme.New(key.Kind)
		if err != nil {
			return nil, err
		}
		typed, ok := created.(client.Object)
		if !ok {
			return nil, fmt.Errorf("a %T has no metadata, so it cannot be cached", created)
		}
		return typed, nil
	}
	obj.GetObjectKind().SetGroupVersionKind(key.Kind)
	return obj, nil
}
