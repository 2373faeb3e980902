// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/internal/protobuf"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// DefaultMaxObjectBytes is the limit of an object's size if Conn.MaxObjectBytes is 0: 16 MiB, far more
// than an API server stores.
const DefaultMaxObjectBytes = 16 << 20

// DefaultMaxListBytes is the limit of a list's size if Conn.MaxListBytes is 0: 8 GiB; see the
// package's documentation.
const DefaultMaxListBytes = 8 << 30

// ErrObjectTooLarge is wrapped by the error of a list or watch with an object larger than
// Conn.MaxObjectBytes.
var ErrObjectTooLarge = errors.New("larger than Conn.MaxObjectBytes allows")

// ErrListTooLarge is wrapped by the error of a list larger than Conn.MaxListBytes.
var ErrListTooLarge = errors.New("larger than Conn.MaxListBytes allows")

// Conn describes the connection to an API server. Only BaseURL is required. A Conn may be copied and
// used concurrently, by any number of sources.
type Conn struct {
	// Client sends the requests; nil means http.DefaultClient. Its Transport handles TLS, tokens,
	// impersonation, proxies, compression and the health of HTTP/2 connections, for example as
	// rest.HTTPClientFor of client-go configures it. Its Timeout should be 0, because a timeout would
	// end watches. Without a CheckRedirect, redirects to another server fail; see the package's
	// documentation.
	Client *http.Client

	// BaseURL is the root of the API, such as https://10.0.0.1:6443. It may have a path, but no query.
	// Errors do not show its user information.
	BaseURL string

	// UserAgent is sent with each request; "" means the names of the program and of this package. It
	// overrides the one of Client's Transport.
	UserAgent string

	// MaxObjectBytes limits the size of one object after decompression. A list or watch with a larger
	// object ends with ErrObjectTooLarge. The event around an object may have 256 bytes more. 0 means
	// DefaultMaxObjectBytes.
	//
	// In memory an object can be a hundred times as large as that, or more; see the package's
	// documentation.
	MaxObjectBytes int64

	// MaxListBytes limits the size of one list after decompression: all of its pages, or the initial
	// events of a WatchList. A larger list fails with ErrListTooLarge. Watch events do not count. 0
	// means DefaultMaxListBytes, and math.MaxInt64 means no limit.
	MaxListBytes int64

	options *[]Option // a pointer, so that Conns can be compared
}

// With returns a copy of c with more options for its sources.
func (c Conn) With(opts ...Option) Conn {
	opts = append(c.given(), opts...)
	c.options = &opts
	return c
}

// given returns a copy of the options of c.
func (c Conn) given() []Option {
	if c.options == nil {
		return nil
	}
	return slices.Clone(*c.options)
}

// Source returns a source of the objects of one resource in one namespace, or in all if namespace is
// "". For cluster-scoped resources it is "". E is the Go type of the objects: the full API type, or a
// slim one with only the needed fields (package slim).
//
// Errors in conn, resource, namespace or opts are returned by each List and Watch. The source is a
// source.Reuser.
//
// An UnmarshalJSON or Unmarshal of E or of a field's type must copy the parts of its argument that it keeps, as
// json.Unmarshaler requires: the text is overwritten.
func Source[E any, T interface {
	*E
	metav1.Object
}](
	conn Conn, resource schema.GroupVersionResource, namespace string, opts ...Option,
) source.ListerWatcher[T] {
	return newSource(conn, resource, namespace, typeOf[E, T](), opts)
}

// objectType is the Go type of the objects of a source. T is a pointer to it, or an interface.
type objectType[T metav1.Object] struct {
	reflect.Type
	create func() T
}

func typeOf[E any, T interface {
	*E
	metav1.Object
}]() objectType[T] {
	return objectType[T]{reflect.TypeFor[E](), func() T { return new(E) }}
}

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

func newSource[T metav1.Object](
	conn Conn, resource schema.GroupVersionResource, namespace string, t objectType[T], opts []Option,
) *httpSource[T] {
	endpoint := newEndpoint(conn, resource, namespace)
	given, err := readOptions(append(conn.given(), opts...), t.Type)
	s := &httpSource[T]{
		endpoint: endpoint, object: t, options: given.Options, decoders: &decoders{}, pages: newPages(),
	}
	unfit := s.acceptProtobuf(cmp.Or(given.whole, t.Type))
	if given.whole != nil {
		s.kind = given.whole.Name()
	}
	if given.whole != nil && unfit != nil {
		err = errors.Join(err, fmt.Errorf("PartOf[%v] of %v: %w", given.whole, t.Type, unfit))
	}
	if err = errors.Join(err, checkHasMetadata(t.Type)); err != nil {
		endpoint.err = errors.Join(endpoint.err, fmt.Errorf("cannot read %s: %w", resource.GroupResource(), err))
	}
	return s
}

// httpSource implements source.ListerWatcher: List is in list.go, Watch in watch.go.
type httpSource[T metav1.Object] struct {
	endpoint *endpoint
	object   objectType[T]
	options  decode.Options
	message  *protobuf.Message // nil: only JSON can be decoded into object
	kind     string            // that the server must send, with PartOf
	decoders *decoders
	pages    *pages
	held     func(types.NamespacedName) (T, bool)
}

// Reusing implements source.Reuser.
func (s *httpSource[T]) Reusing(held func(types.NamespacedName) (T, bool)) source.ListerWatcher[T] {
	reusing := *s
	reusing.held = held
	reusing.options.Share, reusing.decoders = true, &decoders{}
	return &reusing
}
