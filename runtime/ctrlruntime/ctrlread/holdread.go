// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlread

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
)

// HoldRead makes the cache watch the metadata of the objects of a type, and hold only the objects that were read.
//
// Metadata of the type come from this watch: for WatchesMetadata, builder.OnlyMetadata, and Get and List of metadata.
// They have name, UID, resourceVersion, generation, finalizers, owners, deletion timestamp, and the fields of keep.
// All others are empty, and that is no error. Predicates, mapping functions and indexes that read labels or
// annotations need these in keep. So does a List that selects labels, which is an error without them.
//
//	NewCache: ctrlruntime.NewCacheWith(ctrlread.HoldRead(&corev1.Secret{}, readthrough.Labels)),
//
// Get works as with any cache; see package readthrough for what it promises. What needs all objects in the cache
// returns an error that says what to use: List, IndexField, and handlers, such as those of For, Owns and Watches.
//
// Transforms for all types do not apply to the type. One for the type is an error of the cache.
func HoldRead(obj client.Object, keep ...readthrough.Field) ctrlruntime.CacheOption {
	return option(func(r *reads) error {
		kind, err := apiutil.GVKForObject(obj, r.Options.Scheme)
		if err != nil {
			return fmt.Errorf("HoldRead of %T: %w; pass an object of a type in the scheme, such as &corev1.Secret{}", obj, err)
		}
		if _, twice := r.keep[kind]; twice {
			return fmt.Errorf("HoldRead of %s is given twice: give it once, with all fields to keep", kind.Kind)
		}
		r.keep[kind] = keep
		own := r.ByObject(kind)
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
	})
}

// MaxReadBytes limits the encoded size of the objects that [HoldRead] holds. The limit is for each type and each form
// (structured or unstructured). The default is readthrough.DefaultMaxBytes.
func MaxReadBytes(n int64) ctrlruntime.CacheOption {
	return option(func(r *reads) error {
		if n < 1 {
			return fmt.Errorf("MaxReadBytes(%d): pass a positive number of bytes, or remove it", n)
		}
		r.maxBytes = n
		return nil
	})
}

// reads is the layer of the options of this package.
type reads struct {
	*layer.Settings
	keep     map[schema.GroupVersionKind][]readthrough.Field // by kind of HoldRead
	maxBytes int64                                           // of MaxReadBytes, or 0
}

// option returns an option that changes the layer, and adds it if there is none. It is the innermost layer, because
// that of package ctrlabsent replaces its errors.
func option(change func(*reads) error) ctrlruntime.CacheOption {
	return layer.Option(func(s *layer.Settings) error {
		if len(s.Layers) > 0 {
			if r, ok := s.Layers[0].(*reads); ok {
				return change(r)
			}
		}
		r := &reads{Settings: s, keep: map[schema.GroupVersionKind][]readthrough.Field{}}
		s.Layers = slices.Insert(s.Layers, 0, layer.Layer(r))
		return change(r)
	})
}

// Wrap implements layer.Layer.
func (r *reads) Wrap(c layer.Cache) (layer.Cache, error) {
	if len(r.keep) == 0 {
		return nil, errors.New("MaxReadBytes does nothing without HoldRead: add HoldRead, or remove it")
	}
	clientgo.Register[*readthrough.Metadata]()
	return &heldCache{c, r}, nil
}
