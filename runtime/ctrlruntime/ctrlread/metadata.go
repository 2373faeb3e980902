// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlread

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
)

// Informer implements layer.Layer. The informers of a kind of HoldRead are those of its metadata.
func (r *reads) Informer(i *layer.Informer) {
	keep, held := r.keep[i.Kind]
	if !held {
		return
	}
	stored := &readthrough.Metadata{}
	i.Stored = stored
	for _, part := range i.Parts {
		part.Source = part.Scope.Source(r.Conn, stored, readthrough.Keep(keep...))
	}
	i.Copies = layer.NewCopier(newPartial(i.Kind), i.Kind, nil) // what Object returns shares parts with the store
	i.Object = func(obj metav1.Object) metav1.Object { return partialOf(obj.(*readthrough.Metadata), i.Kind) }
	i.Wrap = func(watch toolscache.SharedIndexInformer) toolscache.SharedIndexInformer {
		return &metadataInformer{
			SharedIndexInformer: watch, kind: i.Kind,
			typed:   r.readBodies(watch, i, func() (runtime.Object, error) { return r.Options.Scheme.New(i.Kind) }),
			untyped: r.readBodies(watch, i, newUnstructured),
		}
	}
}

// metadataInformer is an informer of readthrough.Metadata. Handlers and index functions get PartialObjectMetadata,
// which take more memory, for the time of a call.
type metadataInformer struct {
	toolscache.SharedIndexInformer
	kind           schema.GroupVersionKind
	typed, untyped func() (bodies, error) // the whole objects in each form
}

// asPartial returns obj, an object or a tombstone, as PartialObjectMetadata.
func (i *metadataInformer) asPartial(obj any) any {
	if t, ok := obj.(toolscache.DeletedFinalStateUnknown); ok {
		t.Obj = i.asPartial(t.Obj)
		return t
	}
	return partialOf(obj.(*readthrough.Metadata), i.kind)
}

// partialOf shares labels, annotations and lists with m.
func partialOf(m *readthrough.Metadata, kind schema.GroupVersionKind) *metav1.PartialObjectMetadata {
	out := newPartial(kind)
	out.ObjectMeta = metav1.ObjectMeta{
		Namespace: m.Namespace, Name: m.Name, UID: m.UID, ResourceVersion: m.ResourceVersion,
		Generation: m.Generation, DeletionTimestamp: m.DeletionTimestamp, Finalizers: m.Finalizers,
		Labels: m.Labels, Annotations: m.Annotations, OwnerReferences: m.OwnerReferences,
	}
	return out
}

func (i *metadataInformer) AddEventHandler(
	h toolscache.ResourceEventHandler,
) (toolscache.ResourceEventHandlerRegistration, error) {
	return i.SharedIndexInformer.AddEventHandler(partialHandler{h, i})
}

func (i *metadataInformer) AddEventHandlerWithResyncPeriod(
	h toolscache.ResourceEventHandler, period time.Duration,
) (toolscache.ResourceEventHandlerRegistration, error) {
	return i.SharedIndexInformer.AddEventHandlerWithResyncPeriod(partialHandler{h, i}, period)
}

func (i *metadataInformer) AddEventHandlerWithOptions(
	h toolscache.ResourceEventHandler, opts toolscache.HandlerOptions,
) (toolscache.ResourceEventHandlerRegistration, error) {
	return i.SharedIndexInformer.AddEventHandlerWithOptions(partialHandler{h, i}, opts)
}

func (i *metadataInformer) AddIndexers(indexers toolscache.Indexers) error {
	partial := toolscache.Indexers{}
	for name, values := range indexers {
		partial[name] = func(obj any) ([]string, error) { return values(i.asPartial(obj)) }
	}
	return i.SharedIndexInformer.AddIndexers(partial)
}

// partialHandler passes PartialObjectMetadata to a handler.
type partialHandler struct {
	toolscache.ResourceEventHandler
	i *metadataInformer
}

func (h partialHandler) OnAdd(obj any, initial bool) {
	h.ResourceEventHandler.OnAdd(h.i.asPartial(obj), initial)
}
func (h partialHandler) OnUpdate(old, obj any) {
	h.ResourceEventHandler.OnUpdate(h.i.asPartial(old), h.i.asPartial(obj))
}
func (h partialHandler) OnDelete(obj any) { h.ResourceEventHandler.OnDelete(h.i.asPartial(obj)) }
