// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlread

import (
	"context"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1unstructured "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// bodies reads whole objects in one form.
type bodies struct {
	*readthrough.Cache[*readthrough.Metadata, metav1.Object]
	copies layer.Copier
}

// namedByKind is an informer of metadata whose errors name the kind, as those of controller-runtime's cache do. The
// caller of Get has waited for the namespace.
type namedByKind struct {
	*informer.Informer[*readthrough.Metadata]
	kind schema.GroupVersionKind
}

func (i namedByKind) Resource() schema.GroupVersionResource {
	return i.kind.GroupVersion().WithResource(i.kind.Kind)
}

// WaitForSync implements informer.Interface.
func (namedByKind) WaitForSync(context.Context) error { return nil }

// readBodies returns a function that returns the bodies of the objects of watch in the form of create.
func (r *reads) readBodies(
	watch toolscache.SharedIndexInformer, i *layer.Informer, create func() (runtime.Object, error),
) func() (bodies, error) {
	return sync.OnceValues(func() (bodies, error) {
		typed, err := clientgo.InformerOf[*readthrough.Metadata](watch)
		if err != nil {
			return bodies{}, err
		}
		example, err := create()
		if err != nil {
			return bodies{}, err
		}
		// A source for each request costs less than a tenth of a millisecond. One that is held for each namespace
		// would cost 20 KB.
		in := func(namespace string) source.Source[metav1.Object] {
			scope := i.Parts[layer.ConfiguredNamespace(i.Parts, namespace)].Scope
			scope.Namespace = namespace
			return scope.Source(r.Conn, example.(metav1.Object))
		}
		return bodies{
			readthrough.New(namedByKind{typed, i.Kind}, in, r.maxBytes), layer.NewCopier(example, i.Kind, i.Parts),
		}, nil
	})
}

// getBody is Get of a whole object of a type of HoldRead.
func (c *heldCache) getBody(
	ctx context.Context, key client.ObjectKey, out client.Object, kind schema.GroupVersionKind,
	opts []client.GetOption,
) error {
	i, err := c.EnsureSynced(ctx, &key.Namespace, newPartial(kind))
	if err != nil {
		return err
	}
	if i.ClusterScoped {
		key.Namespace = ""
	}
	watch := i.SharedIndexInformer.(*metadataInformer)
	get := watch.typed
	if _, ok := out.(runtime.Unstructured); ok {
		get = watch.untyped
	}
	b, err := get()
	if err != nil {
		return err
	}
	obj, err := b.Get(ctx, key)
	if err != nil {
		return err
	}
	var options client.GetOptions
	options.ApplyOptions(opts)
	return b.copies.Get(obj, out, options.UnsafeDisableDeepCopy)
}

func newUnstructured() (runtime.Object, error) { return &metav1unstructured.Unstructured{}, nil }
