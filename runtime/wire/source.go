// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/protobuf"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Source returns a source of the objects of one resource, in all namespaces unless [InNamespace] or
// [InNamespaces] is given. T is a pointer to the Go type of the objects: the full API type, or a slim
// one with only the needed fields (package slim).
//
// If the Go type has no fields besides metadata, the API server sends only metadata:
//
//	gvr := corev1.SchemeGroupVersion.WithResource("secrets")
//	src := wire.Source[*metav1.PartialObjectMetadata](conn, gvr)
//	secrets := informer.New(gvr, src, store.ForObjects[*metav1.PartialObjectMetadata]())
//
// Errors in conn, resource or opts are returned by each List and Watch. With
// InNamespaces the source has a part for each namespace.
//
// An UnmarshalJSON or Unmarshal of the Go type or of a field's type must copy the parts of its argument
// that it keeps, as json.Unmarshaler requires: the text is overwritten.
func Source[T metav1.Object](
	conn Conn, resource schema.GroupVersionResource, opts ...Option,
) source.Source[T] {
	given, err := readOptions(append(conn.given(), opts...))
	if given.namespaces != nil && err == nil {
		return source.ForEach(given.namespaces, func(namespace string) source.Source[T] {
			given := given
			given.namespace = namespace
			return newSource[T](conn, resource, given, nil).source()
		})
	}
	return newSource[T](conn, resource, given, err).source()
}

// newSource returns a source of one namespace, or of all. err is an error in the options.
func newSource[T metav1.Object](
	conn Conn, resource schema.GroupVersionResource, given settings, err error,
) *httpSource[T] {
	endpoint := newEndpoint(conn, resource, given.namespace)
	s := &httpSource[T]{
		endpoint: endpoint, options: given.Options, decoders: &decoders{},
	}
	if given.prober != nil {
		s.served = given.prober.Served(resource, nil)
	}
	if err == nil {
		s.object, err = objectTypeOf[T](given.example)
	}
	if err == nil {
		err = errors.Join(given.fit(s.object.Type), s.negotiate(given.whole))
	}
	if err != nil {
		endpoint.err = errors.Join(endpoint.err, fmt.Errorf("cannot read %s: %w", resource.GroupResource(), err))
	}
	return s
}

// negotiate decides in which form the objects are requested.
func (s *httpSource[T]) negotiate(whole reflect.Type) error {
	t := s.object.Type
	if hasOnlyMetadata(t) {
		s.endpoint.acceptList, s.endpoint.acceptWatch = acceptMetadataList, acceptMetadataObject
		_ = s.acceptProtobuf(reflect.TypeFor[metav1.PartialObjectMetadata]()) // or else JSON
		return nil
	}
	unfit := s.acceptProtobuf(cmp.Or(whole, t))
	if whole == nil {
		return checkHasMetadata(t)
	}
	s.kind = whole.Name()
	if unfit != nil {
		return fmt.Errorf("ProtobufOf[%v] of %v: %w", whole, t, unfit)
	}
	return nil
}

// objectType is the Go type of the objects of a source. T is a pointer to it, or an interface.
type objectType[T metav1.Object] struct {
	reflect.Type
}

func objectTypeOf[T metav1.Object](example metav1.Object) (objectType[T], error) {
	t := reflect.TypeFor[T]()
	if given := reflect.TypeOf(example); given != nil && given.AssignableTo(t) {
		t = given
	}
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return objectType[T]{}, fmt.Errorf("%v is not a pointer to a struct; name the Go type, or set it by TypeOf", t)
	}
	return objectType[T]{t.Elem()}, nil
}

func (t objectType[T]) create() T { return reflect.New(t.Type).Interface().(T) }

// httpSource implements source.ListerWatcher: List is in list.go, Watch in watch.go.
type httpSource[T metav1.Object] struct {
	endpoint *endpoint
	object   objectType[T]
	options  decode.Options
	message  *protobuf.Message // nil: only JSON can be decoded into object
	kind     string            // that the server must send, with ProtobufOf
	decoders *decoders
	served   func(context.Context) (bool, error)
	held     func(types.NamespacedName) (T, bool)
}

// source returns s with its facts.
func (s *httpSource[T]) source() source.Source[T] {
	return source.Source[T]{ListerWatcher: s, Reuse: s.reusing, Served: s.served}
}

// reusing returns a source like s that reuses the objects of a cache; see source.Source.
func (s *httpSource[T]) reusing(held func(types.NamespacedName) (T, bool)) source.ListerWatcher[T] {
	reusing := *s
	reusing.held = held
	reusing.options.Share, reusing.decoders = true, &decoders{}
	return &reusing
}
