// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/indexer-gen/indexer-gen/runtime/readthrough"
)

// CacheOption is an option of [NewCacheWith].
type CacheOption struct {
	apply func(*managedCache) error
}

// HoldRead makes the cache watch the metadata of the objects of a type, and hold only the objects that were read:
//
//	NewCache: ctrlruntime.NewCacheWith(ctrlruntime.HoldRead(&corev1.Secret{})),
//
// Get works as with any cache; see package readthrough for what it promises. WatchesMetadata, and Get and List of
// metadata, use the same watch. They see name, UID, resourceVersion, generation, deletion timestamp, and the
// fields of keep. Label selectors of such a List need readthrough.Labels.
//
// What needs all objects in the cache returns an error: List without [Live], IndexField, and handlers, such as those
// of For, Owns and Watches. Transforms do not apply to the type.
func HoldRead(obj client.Object, keep ...readthrough.Field) CacheOption {
	return CacheOption{func(c *managedCache) error {
		kind, err := apiutil.GVKForObject(obj, c.opts.Scheme)
		c.heldRead[kind] = keep
		return err
	}}
}

// MaxReadBytes limits the size of the objects that [HoldRead] holds, as JSON, for each type and configured
// namespace. The default is readthrough.DefaultMaxBytes.
func MaxReadBytes(n int64) CacheOption {
	return CacheOption{func(c *managedCache) error { c.maxRead = n; return nil }}
}

// Live is a ListOption by which a cache lists the objects of a type of [HoldRead] from the server. Other types
// ignore it.
var Live client.ListOption = live{}

type live struct{}

func (live) ApplyToList(*client.ListOptions) {}

func isLive(opts []client.ListOption) bool {
	for _, o := range opts {
		if _, ok := o.(live); ok {
			return true
		}
	}
	return false
}

// metadataFor returns metadata of the kind of obj if the cache has only that of all objects, or nil. obj is an
// object or a list, but not of metadata.
func (c *managedCache) metadataFor(obj runtime.Object) *metav1.PartialObjectMetadata {
	if len(c.heldRead) == 0 {
		return nil
	}
	key, err := c.keyOf(obj)
	if _, held := c.heldRead[key.kind]; !held || err != nil || key.form == metadata {
		return nil
	}
	return metadataOf(key.kind)
}

func metadataOf(kind schema.GroupVersionKind) *metav1.PartialObjectMetadata {
	m := &metav1.PartialObjectMetadata{}
	m.SetGroupVersionKind(kind)
	return m
}

func notHeld(kind schema.GroupVersionKind) error {
	return fmt.Errorf("the cache does not hold all objects of kind %s: use WatchesMetadata, or take the type out of "+
		"HoldRead; a List with the option ctrlruntime.Live reads from the server", kind.Kind)
}

// GetInformer implements cache.Informers.
func (c *managedCache) GetInformer(
	ctx context.Context, obj client.Object, opts ...cache.InformerGetOption,
) (cache.Informer, error) {
	m := c.metadataFor(obj)
	if m == nil {
		return c.Cache.GetInformer(ctx, obj, opts...)
	}
	i, err := c.Cache.GetInformer(ctx, m, opts...)
	return refusing{i, notHeld(m.GroupVersionKind())}, err
}

// GetInformerForKind implements cache.Informers.
func (c *managedCache) GetInformerForKind(
	ctx context.Context, kind schema.GroupVersionKind, opts ...cache.InformerGetOption,
) (cache.Informer, error) {
	if _, held := c.heldRead[kind]; !held {
		return c.Cache.GetInformerForKind(ctx, kind, opts...)
	}
	i, err := c.Cache.GetInformer(ctx, metadataOf(kind), opts...)
	return refusing{i, notHeld(kind)}, err
}

// IndexField implements client.FieldIndexer.
func (c *managedCache) IndexField(
	ctx context.Context, obj client.Object, field string, values client.IndexerFunc,
) error {
	if m := c.metadataFor(obj); m != nil {
		return notHeld(m.GroupVersionKind())
	}
	return c.Cache.IndexField(ctx, obj, field, values)
}

// refusing is an informer of metadata for callers that expect whole objects.
type refusing struct {
	cache.Informer
	why error
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
	return nil, r.why
}

func (r refusing) AddEventHandlerWithResyncPeriod(
	toolscache.ResourceEventHandler, time.Duration,
) (toolscache.ResourceEventHandlerRegistration, error) {
	return nil, r.why
}

func (r refusing) AddEventHandlerWithOptions(
	toolscache.ResourceEventHandler, toolscache.HandlerOptions,
) (toolscache.ResourceEventHandlerRegistration, error) {
	return nil, r.why
}

func (r refusing) AddIndexers(toolscache.Indexers) error { return r.why }
