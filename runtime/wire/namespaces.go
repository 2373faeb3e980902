// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// SourceIn is [Source] for a set of namespaces, which may be changed while informers read
// from it: each of them is listed and watched by itself, and no other is.
func SourceIn[E any, T interface {
	*E
	metav1.Object
}](conn Conn, resource schema.GroupVersionResource, namespaces *source.Namespaces, opts ...Option) source.ListerWatcher[T] {
	return source.ForEach(namespaces, func(namespace string) source.ListerWatcher[T] {
		return Source[E, T](conn, resource, namespace, opts...)
	})
}

// MetadataSourceIn is [MetadataSource] for a set of namespaces, as SourceIn is Source.
func MetadataSourceIn[E any, T interface {
	*E
	metav1.Object
}](conn Conn, resource schema.GroupVersionResource, namespaces *source.Namespaces, opts ...Option) source.ListerWatcher[T] {
	return source.ForEach(namespaces, func(namespace string) source.ListerWatcher[T] {
		return MetadataSource[E, T](conn, resource, namespace, opts...)
	})
}
