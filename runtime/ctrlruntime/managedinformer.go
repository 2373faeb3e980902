// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
)

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
	key, err := c.KeyOf(obj)
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
		if m == nil || len(all) > 0 && m.copies.Shares != all[0].copies.Shares {
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

func (m *managedInformer) hasSynced() bool {
	select {
	case <-m.synced:
		return true
	default:
		return false
	}
}

// settle sets what the options of the cache say of a new informer. It returns the configured namespaces, and the one
// that the informer is for.
func (c *managedCache) settle(i *layer.Informer) (namespaces map[string]cache.Config, namespace string) {
	if namespaced, err := apiutil.IsGVKNamespaced(i.Kind, c.Options.Mapper); err == nil {
		i.ClusterScoped = !namespaced
	}
	own := c.ByObject(i.Kind)
	namespaces = c.Options.DefaultNamespaces
	if own.Namespaces != nil {
		namespaces = own.Namespaces
	}
	if i.ClusterScoped {
		namespaces = nil
	}
	namespace = configuredNamespace(namespaces, i.Scope)
	i.Shares = sharesObjects(&c.Options, own, namespaces, namespace)
	return namespaces, namespace
}

// manage adds an informer.
func (c *managedCache) manage(key layer.Key, namespaces map[string]cache.Config, m *managedInformer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string]*managedInformer{m.namespace: m}
	if made := c.informers[key]; made != nil {
		all = maps.Clone(made.byNamespace)
		all[m.namespace] = m
	}
	c.informers[key] = &managedInformers{namespaces, all}
}

// Informers implements layer.Cache.
func (c *managedCache) Informers(obj runtime.Object) (all []toolscache.SharedIndexInformer) {
	for _, m := range c.allFor(obj) {
		all = append(all, m.SharedIndexInformer)
	}
	return all
}

// InformerIn implements layer.Cache.
func (c *managedCache) InformerIn(obj runtime.Object, namespace string) toolscache.SharedIndexInformer {
	if m := c.informersOf(obj).made(namespace); m != nil {
		return m.SharedIndexInformer
	}
	return nil
}

// allFor returns the informers for obj, or all if it is nil.
func (c *managedCache) allFor(obj runtime.Object) (all []*managedInformer) {
	var of layer.Key
	if obj != nil {
		of, _ = c.KeyOf(obj)
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	for key, informers := range c.informers {
		if obj == nil || key == of {
			all = slices.AppendSeq(all, maps.Values(informers.byNamespace))
		}
	}
	return all
}

// forget removes the informers of before, which the embedded cache has removed. Other goroutines may have made
// informers meanwhile. One in place of a removed one was made after the removal and stays. forget returns false if
// there is another, which may or may not have been removed.
func (c *managedCache) forget(obj runtime.Object, before *managedInformers) bool {
	key, err := c.KeyOf(obj)
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

// configuredNamespace returns which of namespaces an informer of a scope is for. That of AllNamespaces
// excludes the others with a selector. It reads one namespace if its selector requires one.
func configuredNamespace(namespaces map[string]cache.Config, s layer.Scope) string {
	terms := strings.Split(s.Fields, ",")
	required := slices.Contains(terms, "metadata.namespace="+s.Namespace)
	excluded := slices.Contains(terms, "metadata.namespace!="+s.Namespace)
	if _, ok := namespaces[s.Namespace]; !ok || required && excluded {
		return cache.AllNamespaces
	}
	return s.Namespace
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
