// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlread

import (
	"context"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
)

// heldCache is a cache with types of HoldRead. The cache that it wraps has their metadata.
type heldCache struct {
	layer.Cache
	*reads
}

// What to use in place of a call that needs all objects.
const (
	insteadOfList     = "list metadata, or list with mgr.GetAPIReader()"
	insteadOfIndex    = "index metadata (metav1.PartialObjectMetadata)"
	insteadOfHandlers = "use WatchesMetadata, or builder.OnlyMetadata in For and Owns"
	insteadOfStores   = "read with Get, and use WatchesMetadata in place of a trigger"
)

// notAllHeld is the error of a call that needs all objects of a kind in the cache.
func notAllHeld(call string, kind schema.GroupVersionKind, instead string) error {
	return fmt.Errorf("%s of %s needs all objects, and HoldRead holds only those that were read: %s, or remove HoldRead "+
		"of the type", call, kind.Kind, instead)
}

// held returns the key of obj, an object or a list, if its kind is one of HoldRead.
func (c *heldCache) held(obj runtime.Object) (key layer.Key, held bool) {
	key, err := c.KeyOf(obj)
	_, held = c.keep[key.Kind]
	return key, held && err == nil
}

// heldWhole returns the kind of obj if it is one of HoldRead, and obj is not metadata.
func (c *heldCache) heldWhole(obj runtime.Object) (kind schema.GroupVersionKind, held bool) {
	key, held := c.held(obj)
	return key.Kind, held && key.Form != layer.Metadata
}

// Get implements client.Reader.
func (c *heldCache) Get(ctx context.Context, key client.ObjectKey, out client.Object, opts ...client.GetOption) error {
	of, held := c.held(out)
	if held && of.Form != layer.Metadata {
		return c.getBody(ctx, key, out, of.Kind, opts)
	}
	return c.Cache.Get(ctx, key, out, opts...)
}

// List implements client.Reader.
func (c *heldCache) List(ctx context.Context, out client.ObjectList, opts ...client.ListOption) error {
	of, held := c.held(out)
	if held && of.Form != layer.Metadata {
		return notAllHeld("List", of.Kind, insteadOfList)
	}
	if held {
		var options client.ListOptions
		options.ApplyOptions(opts)
		if s := options.LabelSelector; s != nil && !s.Empty() && !slices.Contains(c.keep[of.Kind], readthrough.Labels) {
			return fmt.Errorf("the cache does not keep the labels of %s: add Labels of package "+
				"runtime/ctrlruntime/readthrough to its HoldRead", of.Kind.Kind)
		}
	}
	return c.Cache.List(ctx, out, opts...)
}

// InformerOf implements layer.Cache.
func (c *heldCache) InformerOf(obj runtime.Object) *layer.Informer {
	if kind, held := c.heldWhole(obj); held {
		obj = newPartial(kind)
	}
	return c.Cache.InformerOf(obj)
}

// NoStore implements layer.Cache.
func (c *heldCache) NoStore(obj runtime.Object) error {
	if kind, held := c.heldWhole(obj); held {
		return notAllHeld("InformerOf or StoreOf", kind, insteadOfStores)
	}
	return c.Cache.NoStore(obj)
}

// GetInformer implements cache.Informers.
func (c *heldCache) GetInformer(
	ctx context.Context, obj client.Object, opts ...cache.InformerGetOption,
) (cache.Informer, error) {
	kind, held := c.heldWhole(obj)
	if !held {
		return c.Cache.GetInformer(ctx, obj, opts...)
	}
	i, err := c.Cache.GetInformer(ctx, newPartial(kind), opts...)
	return refusing{i, kind}, err
}

// GetInformerForKind implements cache.Informers.
func (c *heldCache) GetInformerForKind(
	ctx context.Context, kind schema.GroupVersionKind, opts ...cache.InformerGetOption,
) (cache.Informer, error) {
	if _, held := c.keep[kind]; !held {
		return c.Cache.GetInformerForKind(ctx, kind, opts...)
	}
	i, err := c.Cache.GetInformer(ctx, newPartial(kind), opts...)
	return refusing{i, kind}, err
}

// IndexField implements client.FieldIndexer.
func (c *heldCache) IndexField(
	ctx context.Context, obj client.Object, field string, values client.IndexerFunc,
) error {
	if kind, held := c.heldWhole(obj); held {
		return notAllHeld("IndexField", kind, insteadOfIndex)
	}
	return c.Cache.IndexField(ctx, obj, field, values)
}

// newPartial returns empty metadata of a kind.
func newPartial(kind schema.GroupVersionKind) *metav1.PartialObjectMetadata {
	m := &metav1.PartialObjectMetadata{}
	m.SetGroupVersionKind(kind)
	return m
}

// refusing is an informer of metadata for callers that expect whole objects.
type refusing struct {
	cache.Informer
	kind schema.GroupVersionKind
}

func (r refusing) handler() error {
	return notAllHeld("a handler (For, Owns, Watches)", r.kind, insteadOfHandlers)
}

// AddEventHandler returns an error, except for the handler of a client with EnableReadYourWritesConsistency, which
// reads only metadata.
func (r refusing) AddEventHandler(
	h toolscache.ResourceEventHandler,
) (toolscache.ResourceEventHandlerRegistration, error) {
	type consistency interface {
		WaitForGet(ctx context.Context, key types.NamespacedName) error
	}
	if _, ok := h.(consistency); ok {
		return r.Informer.AddEventHandler(h)
	}
	return nil, r.handler()
}

func (r refusing) AddEventHandlerWithResyncPeriod(
	toolscache.ResourceEventHandler, time.Duration,
) (toolscache.ResourceEventHandlerRegistration, error) {
	return nil, r.handler()
}

func (r refusing) AddEventHandlerWithOptions(
	toolscache.ResourceEventHandler, toolscache.HandlerOptions,
) (toolscache.ResourceEventHandlerRegistration, error) {
	return nil, r.handler()
}

func (r refusing) AddIndexers(toolscache.Indexers) error {
	return notAllHeld("AddIndexers", r.kind, insteadOfIndex)
}
