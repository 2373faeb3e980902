// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/fields"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The Accept headers for metadata. Servers that cannot send metadata alone, such as some aggregated
// ones, send whole objects, which decode to the same result at a higher cost.
const (
	acceptMetadataList   = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"
	acceptMetadataObject = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
)

// MetadataSource is like [Source] and makes the API server send only the objects' metadata. E is
// metav1.PartialObjectMetadata, or a slim type with only metadata:
//
//	gvr := corev1.SchemeGroupVersion.WithResource("secrets")
//	src := wire.MetadataSource[metav1.PartialObjectMetadata](conn, gvr, "")
//	secrets := informer.New(gvr, src, store.ForObjects[*metav1.PartialObjectMetadata]())
//
// A type with other fields, which would stay empty, is an error of each List and Watch. The kind of
// the objects is cleared, as by Source. A type that decodes itself is accepted: unstructured objects
// keep their kind, PartialObjectMetadata.
func MetadataSource[E any, T interface {
	*E
	metav1.Object
}](
	conn Conn, resource schema.GroupVersionResource, namespace string, opts ...Option,
) source.ListerWatcher[T] {
	return metadataSource(conn, resource, namespace, typeOf[E, T](), opts)
}

func metadataSource[T metav1.Object](
	conn Conn, resource schema.GroupVersionResource, namespace string, t objectType[T], opts []Option,
) *httpSource[T] {
	src := newSource(conn, resource, namespace, t, opts)
	src.endpoint.acceptList, src.endpoint.acceptWatch = acceptMetadataList, acceptMetadataObject
	_ = src.acceptProtobuf(reflect.TypeFor[metav1.PartialObjectMetadata]()) // or else JSON
	src.kind = ""
	if err := metadataOnly(t.Type); err != nil {
		err = fmt.Errorf("cannot read the metadata of %s: %w", resource.GroupResource(), err)
		src.endpoint.err = errors.Join(src.endpoint.err, err)
	}
	return src
}

// checkHasMetadata returns an error for a struct without metadata, whose objects would have no name.
func checkHasMetadata(t reflect.Type) error {
	if t.Kind() != reflect.Struct || decodesItself(t) {
		return nil
	}
	if _, has := fields.ByName(t)["metadata"]; has {
		return nil
	}
	return fmt.Errorf("the type %v has no field for \"metadata\", so its objects would have no name; "+
		"give its ObjectMeta the tag `json:\"metadata\"`", t)
}

// metadataOnly returns an error for a type with fields besides metadata.
func metadataOnly(t reflect.Type) error {
	if t.Kind() != reflect.Struct || decodesItself(t) {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(fields.ByName(t))) {
		if name != "kind" && name != "apiVersion" && name != "metadata" {
			return fmt.Errorf("the type %v has a field for %q, which would stay empty; "+
				"use metav1.PartialObjectMetadata, or Source for whole objects", t, name)
		}
	}
	return nil
}
