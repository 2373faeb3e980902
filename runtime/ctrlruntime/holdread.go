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

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
)

// CacheOption is an option of [NewCacheWith].
type CacheOption struct {
	apply func(*managedCache) error
}

// HoldRead makes the cache watch the metadata of the objects of a type, and hold only the objects that were read.
//
// Metadata of the type come from this watch: for WatchesMetadata, builder.OnlyMetadata, and Get and List of metadata.
// They have name, UID, resourceVersion, generation, finalizers, owners, deletion timestamp, and the fields of keep.
// All others are empty, and that is no error. Predicates, mapping functions and indexes that read labels or
// annotations need these in keep. So does a List that selects labels, which is an error without them.
//
//	NewCache: ctrlruntime.NewCacheWith(ctrlruntime.HoldRead(&corev1.Secret{}, readthrough.Labels)),
//
// Get works as with any cache; see package readthrough for what it promises. What needs all objects in the cache
// returns an error that says what to use: List, IndexField, and handlers, such as those of For, Owns and Watches.
//
// Transforms for all types do not apply to the type. One for the type is an error of the cache.
func HoldRead(obj client.Object, keep ...readthrough.Field) CacheOption {
	return CacheOption{func(c *managedCache) error {
		kind, err := apiutil.GVKForObject(obj, c.opts.Scheme)
		if err != nil {
			return fmt.Errorf("HoldRead of %T: %w; pass an object of a type in the scheme, such as &corev1.Secret{}", obj, err)
		}
		if _, twice := c.heldRead[kind]; twice {
			return fmt.Errorf("HoldRead of %s is given twice: give it once, with all fields to keep", kind.Kind)
		}
		c.heldRead[kind] = keep
		own := c.byObject(kind)
		if own.Transform != nil {
			return fmt.Errorf("objects of HoldRead are not transformed: in ByObject of %s, remove its Transform", kind.Kind)
		}
		for namespace, config := range own.Namespaces {
			if config.Transform != nil {
				return fmt.Errorf("objects of HoldRead are not transformed: in ByObject of %s, remove its Transform in "+
					"namespace %s", kind.Kind, namespace)
			}
		}
		return nil
	}}
}

// MaxReadBytes limits the encoded size of the objects that [HoldRead] holds. The limit is for each type, each form
// (structured or unstructured) and each configured namespace: with 30 namespaces, up to 30 times n are held. The
// default is readthrough.DefaultMaxBytes.
func MaxReadBytes(n int64) CacheOption {
	return CacheOption{func(c *managedCache) error {
		if n < 1 {
			return fmt.Errorf("MaxReadBytes(%d): pass a positive number of bytes, or remove it", n)
		}
		c.maxRead = n
		return nil
	}}
}

// heldKind returns the kind of obj, an object or a list, if it is a type of HoldRead. Metadata are not.
func (c *managedCache) heldKind(obj runtime.Object) (kind schema.GroupVersionKind, held bool) {
	if len(c.heldRead) == 0 {
		return kind, false
	}
	key, err := c.keyOf(obj)
	_, held = c.heldRead[key.kind]
	return key.kind, held && err == nil && key.form != metadata
}

// newPartial returns empty metadata of a kind.
func newPartial(kind schema.GroupVersionKind) *metav1.PartialObjectMetadata {
	m := &metav1.PartialObjectMetadata{}
	m.SetGroupVersionKind(kind)
	return m
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

// GetInformer implements cache.Informers.
func (c *managedCache) GetInformer(
	ctx context.Context, obj client.Object, opts ...cache.InformerGetOption,
) (cache.Informer, error) {
	kind, held := c.heldKind(obj)
	if !held {
		return c.Cache.GetInformer(ctx, obj, opts...)
	}
	i, err := c.Cache.GetInformer(ctx, newPartial(kind), opts...)
	return refusing{i, kind}, err
}

// GetInformerForKind implements cache.Informers.
func (c *managedCache) GetInformerForKind(
	ctx context.Context, kind schema.GroupVersionKind, opts ...cache.InformerGetOption,
) (cache.Informer, error) {
	if _, held := c.heldRead[kind]; !held {
		return c.Cache.GetInformerForKind(ctx, kind, opts...)
	}
	i, err := c.Cache.GetInformer(ctx, newPartial(kind), opts...)
	return refusing{i, kind}, err
}

// IndexField implements client.FieldIndexer.
func (c *managedCache) IndexField(
	ctx context.Context, obj client.Object, field string, values client.IndexerFunc,
) error {
	if kind, held := c.heldKind(obj); held {
		return notAllHeld("IndexField", kind, insteadOfIndex)
	}
	return c.Cache.IndexField(ctx, obj, field, values)
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
