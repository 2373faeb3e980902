// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// informerKey has what a cache keeps apart: kinds, and the forms in which they are read.
type informerKey struct {
	kind schema.GroupVersionKind
	form form
}

type form int

const (
	structured form = iota
	unstructured
	metadata
)

// keyOf returns the key of the informer for obj, an object or a list.
func (c *managedCache) keyOf(obj runtime.Object) (informerKey, error) {
	kind, err := apiutil.GVKForObject(obj, c.opts.Scheme)
	if err != nil {
		return informerKey{}, err
	}
	key := informerKey{kind: kind}
	switch obj.(type) {
	case runtime.Unstructured:
		key.form = unstructured
	case *metav1.PartialObjectMetadata, *metav1.PartialObjectMetadataList:
		key.form = metadata
	}
	if meta.IsListType(obj) {
		key.kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	}
	return key, nil
}

// managedInformer is an informer of a managedCache.
type managedInformer struct {
	toolscache.SharedIndexInformer
	synced        <-chan struct{}
	kind          schema.GroupVersionKind
	namespace     string // "" for all
	clusterScoped bool
	copies        copier
}

func newManagedInformer(
	informer toolscache.SharedIndexInformer, key informerKey, s scope, opts cache.Options, example runtime.Object,
) *managedInformer {
	m := &managedInformer{
		SharedIndexInformer: informer, synced: informer.HasSyncedChecker().Done(),
		kind: key.kind, namespace: s.namespace,
	}
	if namespaced, err := apiutil.IsGVKNamespaced(key.kind, opts.Mapper); err == nil {
		m.clusterScoped = !namespaced
	}
	m.copies = newCopier(example, key.kind, sharesObjects(opts, key.kind, m.namespace, m.clusterScoped))
	return m
}

func (m *managedInformer) hasSynced() bool {
	select {
	case <-m.synced:
		return true
	default:
		return false
	}
}

// sharesObjects resolves UnsafeDisableDeepCopy: that of a namespace applies first, then that of the kind.
func sharesObjects(opts cache.Options, kind schema.GroupVersionKind, namespace string, clusterScoped bool) bool {
	var own cache.ByObject
	for obj, byObject := range opts.ByObject {
		if k, err := apiutil.GVKForObject(obj, opts.Scheme); err == nil && k == kind {
			own = byObject
		}
	}
	namespaces := opts.DefaultNamespaces
	if own.Namespaces != nil {
		namespaces = own.Namespaces
	}
	var inNamespace, byDefault cache.Config
	if len(namespaces) > 0 && !clusterScoped {
		if _, ok := namespaces[namespace]; !ok {
			namespace = cache.AllNamespaces // with a selector for one namespace
		}
		inNamespace, byDefault = namespaces[namespace], opts.DefaultNamespaces[namespace]
	}
	setting := cmp.Or(inNamespace.UnsafeDisableDeepCopy, own.UnsafeDisableDeepCopy,
		byDefault.UnsafeDisableDeepCopy, opts.DefaultUnsafeDisableDeepCopy)
	return setting != nil && *setting
}

func (c *managedCache) add(key informerKey, m *managedInformer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.informers[key] = append(slices.Clip(c.informers[key]), m)
}

// informersOf returns the informers for obj, several for several namespaces.
func (c *managedCache) informersOf(obj runtime.Object) []*managedInformer {
	key, err := c.keyOf(obj)
	if err != nil {
		return nil
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.informers[key]
}

// in returns the informers for obj in a namespace, or all if that is "". It returns none if the embedded
// cache must be asked: to start an informer, to wait for it, or to choose between several.
func (c *managedCache) in(obj runtime.Object, namespace string) []*managedInformer {
	all := c.informersOf(obj)
	if namespace != "" && len(all) > 0 && !all[0].clusterScoped {
		var exact, rest []*managedInformer
		for i, m := range all {
			switch m.namespace {
			case namespace:
				exact = append(exact, all[i])
			case "":
				rest = append(rest, all[i])
			}
		}
		if all = exact; len(exact) == 0 {
			all = rest
		}
		if len(all) > 1 {
			return nil
		}
	}
	for _, m := range all {
		if !m.hasSynced() || m.copies.shares != all[0].copies.shares {
			return nil
		}
	}
	return all
}
