// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
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

// managedInformers are the informers of one kind in one form. They are immutable. Nil has none.
type managedInformers struct {
	// namespaces are the configured ones, AllNamespaces for the others included. Without any, one informer
	// serves all reads.
	namespaces map[string]cache.Config
	// byNamespace has the informers that were made, by configured namespace, or under AllNamespaces.
	// controller-runtime makes that of a namespace when the namespace is first read.
	byNamespace map[string]*managedInformer
}

// informersOf returns the informers for obj, an object or a list.
func (c *managedCache) informersOf(obj runtime.Object) *managedInformers {
	key, err := c.keyOf(obj)
	if err != nil {
		return nil
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.informers[key]
}

// made returns the informer that serves a namespace, or nil if there is none.
func (ms *managedInformers) made(namespace string) *managedInformer {
	if ms == nil {
		return nil
	}
	if _, ok := ms.namespaces[namespace]; !ok {
		namespace = cache.AllNamespaces
	}
	return ms.byNamespace[namespace]
}

// in returns the informer that serves a namespace. It returns nil if the embedded cache must be asked: to
// make an informer, to wait for it, or because no configured namespace matches.
func (ms *managedInformers) in(namespace string) *managedInformer {
	m := ms.made(namespace)
	if m == nil || !m.hasSynced() {
		return nil
	}
	return m
}

// serving returns the informers that together serve a namespace, or all namespaces if that is "". It returns
// none if the embedded cache must be asked: also if several differ in sharing objects.
func (ms *managedInformers) serving(namespace string) []*managedInformer {
	if ms == nil {
		return nil
	}
	if namespace != "" || len(ms.namespaces) == 0 {
		if m := ms.in(namespace); m != nil {
			return []*managedInformer{m}
		}
		return nil
	}
	all := make([]*managedInformer, 0, len(ms.namespaces))
	for namespace := range ms.namespaces {
		m := ms.in(namespace)
		if m == nil || len(all) > 0 && m.copies.shares != all[0].copies.shares {
			return nil
		}
		all = append(all, m)
	}
	return all
}

// managedInformer is an informer of a managedCache.
type managedInformer struct {
	toolscache.SharedIndexInformer
	synced        <-chan struct{}
	kind          schema.GroupVersionKind
	namespace     string // the configured one
	clusterScoped bool
	copies        copier
	// typed and untyped read whole objects of a type of HoldRead. They are nil for other types.
	typed, untyped func() (bodies, error)
}

// object returns an object of the informer as readers see it.
func (m *managedInformer) object(obj metav1.Object) metav1.Object {
	if kept, ok := obj.(*readthrough.Metadata); ok {
		return partialOf(kept, m.kind)
	}
	return obj
}

func (m *managedInformer) hasSynced() bool {
	select {
	case <-m.synced:
		return true
	default:
		return false
	}
}

// manage adds an informer of a scope.
func (c *managedCache) manage(informer toolscache.SharedIndexInformer, s scope, key informerKey, example runtime.Object) {
	m := &managedInformer{
		SharedIndexInformer: informer, synced: informer.HasSyncedChecker().Done(), kind: key.kind,
	}
	if namespaced, err := apiutil.IsGVKNamespaced(key.kind, c.opts.Mapper); err == nil {
		m.clusterScoped = !namespaced
	}
	own := c.byObject(key.kind)
	namespaces := c.opts.DefaultNamespaces
	if own.Namespaces != nil {
		namespaces = own.Namespaces
	}
	if m.clusterScoped {
		namespaces = nil
	}
	m.namespace = configuredNamespace(namespaces, s)
	shares := sharesObjects(&c.opts, own, namespaces, m.namespace)
	if _, held := c.heldRead[key.kind]; held {
		m.typed = c.readBodies(m, s, shares, func() (runtime.Object, error) { return c.opts.Scheme.New(key.kind) })
		m.untyped = c.readBodies(m, s, shares, newUnstructured)
		shares = false // so that one List reads all namespaces
	}
	m.copies = newCopier(example, key.kind, shares)

	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string]*managedInformer{m.namespace: m}
	if made := c.informers[key]; made != nil {
		all = maps.Clone(made.byNamespace)
		all[m.namespace] = m
	}
	c.informers[key] = &managedInformers{namespaces, all}
}

// forget removes the informers of before, which the embedded cache has removed. Other goroutines may have made
// informers meanwhile. One in place of a removed one was made after the removal and stays. forget returns false if
// there is another, which may or may not have been removed.
func (c *managedCache) forget(obj runtime.Object, before *managedInformers) bool {
	key, err := c.keyOf(obj)
	if err != nil {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.informers[key]
	if now == before {
		delete(c.informers, key)
		return true
	}
	left, known := maps.Clone(now.byNamespace), true
	for namespace, m := range now.byNamespace {
		switch before.made(namespace) {
		case m:
			delete(left, namespace)
		case nil:
			known = false
		}
	}
	c.informers[key] = &managedInformers{now.namespaces, left}
	return known
}

// byObject returns the options for a kind.
func (c *managedCache) byObject(kind schema.GroupVersionKind) cache.ByObject {
	for obj, own := range c.opts.ByObject {
		if k, err := apiutil.GVKForObject(obj, c.opts.Scheme); err == nil && k == kind {
			return own
		}
	}
	return cache.ByObject{}
}

// configuredNamespace returns which of namespaces an informer of a scope is for. That of AllNamespaces
// excludes the others with a selector. It reads one namespace if its selector requires one.
func configuredNamespace(namespaces map[string]cache.Config, s scope) string {
	terms := strings.Split(s.fields, ",")
	required := slices.Contains(terms, "metadata.namespace="+s.namespace)
	excluded := slices.Contains(terms, "metadata.namespace!="+s.namespace)
	if _, ok := namespaces[s.namespace]; !ok || required && excluded {
		return cache.AllNamespaces
	}
	return s.namespace
}

// sharesObjects resolves UnsafeDisableDeepCopy: that of a namespace applies first, then that of the kind.
func sharesObjects(
	opts *cache.Options, own cache.ByObject, namespaces map[string]cache.Config, namespace string,
) bool {
	var inNamespace, byDefault cache.Config
	if len(namespaces) > 0 {
		inNamespace, byDefault = namespaces[namespace], opts.DefaultNamespaces[namespace]
	}
	setting := cmp.Or(inNamespace.UnsafeDisableDeepCopy, own.UnsafeDisableDeepCopy,
		byDefault.UnsafeDisableDeepCopy, opts.DefaultUnsafeDisableDeepCopy)
	return setting != nil && *setting
}
