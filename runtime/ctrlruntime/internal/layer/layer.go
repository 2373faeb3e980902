// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package layer has what the options of a manager's cache share with it. The options are in packages of their own, so
// that only programs which use an option link it.
//
// An option adds a [Layer] to the [Settings], or changes the one that an option before it added. A Layer changes new
// informers and wraps the cache.
package layer

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// Settings are those of a cache that is being made.
type Settings struct {
	Conn    wire.Conn
	Options cache.Options // of the user, with a scheme and a mapper
	Layers  []Layer       // the first one wraps the cache
}

// Option is an option of a cache.
type Option func(*Settings) error

// Apply implements ctrlruntime.CacheOption.
func (o Option) Apply(s *Settings) error { return o(s) }

// Layer changes a cache.
type Layer interface {
	// Informer changes an informer that is being made.
	Informer(*Informer)
	// Wrap returns c with the layer.
	Wrap(c Cache) (Cache, error)
}

// Informer is an informer of a cache. A Layer gets it before it is made, without a SharedIndexInformer.
type Informer struct {
	toolscache.SharedIndexInformer
	Synced toolscache.DoneChecker // of the informer, which makes one for each call

	Key
	ClusterScoped bool
	Stored        runtime.Object   // an object of the type that the informer stores
	Parts         map[string]*Part // by configured namespace; see ConfiguredNamespace
	Copies        Copier           // to objects of readers

	// Wrap returns the informer as the cache uses it.
	Wrap func(toolscache.SharedIndexInformer) toolscache.SharedIndexInformer
	// Object returns a stored object as readers see it.
	Object func(metav1.Object) metav1.Object
}

// Part is what an informer reads for a configured namespace.
type Part struct {
	Scope  Scope
	Source source.Source[metav1.Object] // of objects of the type that the informer stores

	UnsafeDisableDeepCopy bool // readers share the objects
}

// ConfiguredNamespace returns the configured namespace that a namespace belongs to: itself, or AllNamespaces.
func ConfiguredNamespace[V any](byNamespace map[string]V, namespace string) string {
	if _, ok := byNamespace[namespace]; ok {
		return namespace
	}
	return cache.AllNamespaces
}

// WaitIn waits until the objects in a namespace are in the store, or all objects if it is nil.
func (i *Informer) WaitIn(ctx context.Context, namespace *string) error {
	switch {
	case toolscache.IsDone(i.Synced):
		return nil
	case namespace == nil:
		return clientgo.WaitForSync(ctx, i)
	}
	return clientgo.WaitForPart(ctx, i, ConfiguredNamespace(i.Parts, *namespace))
}

// Cache is a manager's cache, with or without layers.
type Cache interface {
	cache.Cache
	// NeedLeaderElection implements manager.LeaderElectionRunnable.
	NeedLeaderElection() bool
	// Unwrap returns the cache without layers.
	Unwrap() Cache
	// Informers returns all informers, by kind.
	Informers() []*Informer
	// InformerOf returns the informer for obj, an object or a list, or nil if there is none.
	InformerOf(obj runtime.Object) *Informer
	// EnsureSynced makes the informer for obj if there is none, and returns it once the objects in a namespace are in its
	// store, or all objects if namespace is nil.
	EnsureSynced(ctx context.Context, namespace *string, obj runtime.Object) (*Informer, error)
	// NoStore returns why the cache has no store of the type of obj, or nil.
	NoStore(obj runtime.Object) error
}

// Key has what a cache keeps apart: kinds, and the forms in which they are read.
type Key struct {
	Kind schema.GroupVersionKind
	Form Form
}

// Form is the form in which objects are read.
type Form string

// The forms.
const (
	Structured   Form = "structured"
	Unstructured Form = "unstructured"
	Metadata     Form = "metadata"
)

// KeyOf returns the key of the informers for obj, an object or a list.
func (s *Settings) KeyOf(obj runtime.Object) (Key, error) {
	kind, err := apiutil.GVKForObject(obj, s.Options.Scheme)
	if err != nil {
		return Key{}, err
	}
	key := Key{Kind: kind, Form: Structured}
	switch obj.(type) {
	case runtime.Unstructured:
		key.Form = Unstructured
	case *metav1.PartialObjectMetadata, *metav1.PartialObjectMetadataList:
		key.Form = Metadata
	}
	if meta.IsListType(obj) {
		key.Kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	}
	return key, nil
}

// ByObject returns the options for a kind.
func (s *Settings) ByObject(kind schema.GroupVersionKind) cache.ByObject {
	for obj, own := range s.Options.ByObject {
		if k, err := apiutil.GVKForObject(obj, s.Options.Scheme); err == nil && k == kind {
			return own
		}
	}
	return cache.ByObject{}
}
