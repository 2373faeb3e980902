// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/readthrough"
)

// metadataInformer is an informer of readthrough.Metadata. Handlers and index functions get PartialObjectMetadata,
// which take more memory, for the time of a call.
type metadataInformer struct {
	toolscache.SharedIndexInformer
	kind schema.GroupVersionKind
}

// full returns obj, an object or a tombstone, as PartialObjectMetadata.
func (i metadataInformer) full(obj any) any {
	if t, ok := obj.(toolscache.DeletedFinalStateUnknown); ok {
		t.Obj = i.full(t.Obj)
		return t
	}
	return fullMetadata(obj.(*readthrough.Metadata), i.kind)
}

func fullMetadata(m *readthrough.Metadata, kind schema.GroupVersionKind) *metav1.PartialObjectMetadata {
	out := metadataOf(kind)
	out.ObjectMeta = metav1.ObjectMeta{
		Namespace: m.Namespace, Name: m.Name, UID: m.UID, ResourceVersion: m.ResourceVersion,
		Generation: m.Generation, DeletionTimestamp: m.DeletionTimestamp,
		Labels: m.Labels, Annotations: m.Annotations, OwnerReferences: m.OwnerReferences,
	}
	return out
}

func (i metadataInformer) AddEventHandler(
	h toolscache.ResourceEventHandler,
) (toolscache.ResourceEventHandlerRegistration, error) {
	return i.SharedIndexInformer.AddEventHandler(fullHandler{h, i})
}

func (i metadataInformer) AddEventHandlerWithResyncPeriod(
	h toolscache.ResourceEventHandler, period time.Duration,
) (toolscache.ResourceEventHandlerRegistration, error) {
	return i.SharedIndexInformer.AddEventHandlerWithResyncPeriod(fullHandler{h, i}, period)
}

func (i metadataInformer) AddEventHandlerWithOptions(
	h toolscache.ResourceEventHandler, opts toolscache.HandlerOptions,
) (toolscache.ResourceEventHandlerRegistration, error) {
	return i.SharedIndexInformer.AddEventHandlerWithOptions(fullHandler{h, i}, opts)
}

func (i metadataInformer) AddIndexers(indexers toolscache.Indexers) error {
	full := toolscache.Indexers{}
	for name, values := range indexers {
		full[name] = func(obj any) ([]string, error) { return values(i.full(obj)) }
	}
	return i.SharedIndexInformer.AddIndexers(full)
}

// SetTransform does nothing, because the cache has no whole objects.
func (i metadataInformer) SetTransform(toolscache.TransformFunc) error { return nil }

// awaitMetadata makes the informer for obj if it is metadata of a type of HoldRead, and waits for it. The embedded
// cache would do so as well, but cannot copy the objects.
func (c *managedCache) awaitMetadata(ctx context.Context, obj runtime.Object) error {
	key, err := c.keyOf(obj)
	if _, held := c.heldRead[key.kind]; err != nil || !held {
		return err
	}
	if c.opts.ReaderFailOnMissingInformer && c.informersOf(obj) == nil {
		return nil
	}
	_, err = c.Cache.GetInformer(ctx, metadataOf(key.kind))
	return err
}

// checkLabels returns an error if labels are selected that are not kept.
func (c *managedCache) checkLabels(kind schema.GroupVersionKind, selector labels.Selector) error {
	keep, held := c.heldRead[kind]
	if !held || selector == nil || selector.Empty() || slices.Contains(keep, readthrough.Labels) {
		return nil
	}
	return fmt.Errorf("the cache does not keep the labels of %s: add readthrough.Labels to its HoldRead", kind.Kind)
}

// fullHandler passes PartialObjectMetadata to a handler.
type fullHandler struct {
	toolscache.ResourceEventHandler
	i metadataInformer
}

func (h fullHandler) OnAdd(obj any, initial bool) {
	h.ResourceEventHandler.OnAdd(h.i.full(obj), initial)
}
func (h fullHandler) OnUpdate(old, obj any) {
	h.ResourceEventHandler.OnUpdate(h.i.full(old), h.i.full(obj))
}
func (h fullHandler) OnDelete(obj any) { h.ResourceEventHandler.OnDelete(h.i.full(obj)) }
