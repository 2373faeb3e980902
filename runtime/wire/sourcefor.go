// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// SourceFor is like [Source] for a Go type that is known at run time only. The objects have the type of
// example, which must be a pointer to a struct and may be nil. If that is *metav1.PartialObjectMetadata,
// SourceFor is like [MetadataSource].
func SourceFor(
	conn Conn, resource schema.GroupVersionResource, namespace string, example metav1.Object, opts ...Option,
) source.ListerWatcher[metav1.Object] {
	t := reflect.TypeOf(example).Elem()
	object := objectType[metav1.Object]{t, func() metav1.Object { return reflect.New(t).Interface().(metav1.Object) }}
	if _, ok := example.(*metav1.PartialObjectMetadata); ok {
		return metadataSource(conn, resource, namespace, object, opts)
	}
	return newSource(conn, resource, namespace, object, opts)
}
