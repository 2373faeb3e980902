// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// DefaultMaxObjectBytes is the size up to which one object is accepted if
// Conn.MaxObjectBytes is 0: 16 MiB, far above what an API server stores.
const DefaultMaxObjectBytes = 16 << 20

// DefaultMaxListBytes is the size up to which one list is accepted if
// Conn.MaxListBytes is 0: 8 GiB; see the package's documentation.
const DefaultMaxListBytes = 8 << 30

// ErrObjectTooLarge is wrapped by the error of a list or watch that met a value
// larger than Conn.MaxObjectBytes.
var ErrObjectTooLarge = errors.New("larger than Conn.MaxObjectBytes allows")

// ErrListTooLarge is wrapped by the error of a list that was larger than
// Conn.MaxListBytes.
var ErrListTooLarge = errors.New("larger than Conn.MaxListBytes allows")

// Conn says how to reach an API server. Only BaseURL must be set. A Conn may be
// copied and used concurrently, and serves any number of sources.
type Conn struct {
	// Client sends the requests; nil means http.DefaultClient. TLS, tokens,
	// impersonation, proxies, compression and the health of HTTP/2 connections
	// are its Transport's, for example as rest.HTTPClientFor of client-go sets
	// them up. Its Timeout should be 0: it would cut off watches. Without a CheckRedirect,
	// redirects to another server fail; see the package's documentation.
	Client *http.Client

	// BaseURL is the root of the API, such as https://10.0.0.1:6443, with a path
	// if the server is reached under one. It has no query. Errors do not show its user
	// information.
	BaseURL string

	// UserAgent is sent with each request; "" means the name of the program and
	// that of this package. It takes precedence over one that Client's Transport
	// would set.
	UserAgent string

	// MaxObjectBytes bounds the JSON of one object, as it is after decompression. A
	// list or watch that meets a larger one ends with ErrObjectTooLarge. In a watch,
	// what counts is the event, white space and all, which may be 256 bytes larger. 0
	// means DefaultMaxObjectBytes.
	//
	// It does not bound what the text becomes: an object that was written to do harm
	// can take a hundred times its size in memory, or more; see the package's
	// documentation.
	MaxObjectBytes int64

	// MaxListBytes bounds the JSON of one list after decompression. It holds for the sum
	// of the list's pages, and for what a WatchList sends before the bookmark that ends
	// it. A larger list fails with ErrListTooLarge. Changes that a watch sends do not
	// count. 0 means DefaultMaxListBytes, and math.MaxInt64 means no limit.
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
// An UnmarshalJSON of E or of a field's type must copy the parts of its argument that it keeps, as
// json.Unmarshaler requires: the text is overwritten.
func Source[E any, T interface {
	*E
	metav1.Object
}](
	conn Conn, resource schema.GroupVersionResource, namespace string, opts ...Option,
) source.ListerWatcher[T] {
	return newSource[E, T](conn, resource, namespace, opts)
}

func newSource[E any, T interface {
	*E
	metav1.Object
}](conn Conn, resource schema.GroupVersionResource, namespace string, opts []Option) *httpSource[E, T] {
	endpoint := newEndpoint(conn, resource, namespace)
	options, err := readOptions(append(conn.given(), opts...), reflect.TypeFor[E]())
	if err = errors.Join(err, checkHasMetadata(reflect.TypeFor[E]())); err != nil {
		endpoint.err = errors.Join(endpoint.err, fmt.Errorf("cannot read %s: %w", resource.GroupResource(), err))
	}
	return &httpSource[E, T]{endpoint: endpoint, options: options, decoders: &decoders{}, pages: newPages()}
}

// httpSource has its List in list.go and its Watch in watch.go.
type httpSource[E any, T interface {
	*E
	metav1.Object
}] struct {
	endpoint *endpoint
	options  decode.Options
	decoders *decoders
	pages    *pages
	held     func(types.NamespacedName) (T, bool)
}

// Reusing implements source.Reuser.
func (s *httpSource[E, T]) Reusing(held func(types.NamespacedName) (T, bool)) source.ListerWatcher[T] {
	reusing := *s
	reusing.held = held
	return &reusing
}
