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
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

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
	// SyncedIn returns the informer for obj once the objects in a namespace are in its store, or all objects if namespace
	// is nil. It makes the informer if there is none.
	SyncedIn(ctx context.Context, namespace *string, obj runtime.Object) (*Informer, error)
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
	Structured   Form = ""
	Unstructured Form = "unstructured"
	Metadata     Form = "metadata"
)

// KeyOf returns the key of the informers for obj, an object or a list.
func (s *Settings) KeyOf(obj runtime.Object) (Key, error) {
	kind, err := apiutil.GVKForObject(obj, s.Options.Scheme)
	if err != nil {
		return Key{}, err
	}
	key := Key{Kind: kind}
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
