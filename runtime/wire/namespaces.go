// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// SourceIn is like [Source] for a set of namespaces, which may change while informers read from it.
// Each namespace has a list and a watch of its own.
func SourceIn[E any, T interface {
	*E
	metav1.Object
}](
	conn Conn, resource schema.GroupVersionResource, namespaces *source.Namespaces, opts ...Option,
) source.ListerWatcher[T] {
	return source.ForEach(namespaces, func(namespace string) source.ListerWatcher[T] {
		return Source[E, T](conn, resource, namespace, opts...)
	})
}

// MetadataSourceIn is like [MetadataSource] for a set of namespaces; see [SourceIn].
func MetadataSourceIn[E any, T interface {
	*E
	metav1.Object
}](
	conn Conn, resource schema.GroupVersionResource, namespaces *source.Namespaces, opts ...Option,
) source.ListerWatcher[T] {
	return source.ForEach(namespaces, func(namespace string) source.ListerWatcher[T] {
		return MetadataSource[E, T](conn, resource, namespace, opts...)
	})
}
