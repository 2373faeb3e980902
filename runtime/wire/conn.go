// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"net/http"
	"slices"
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
	// events of a WatchList. A larger list fails with ErrListTooLarge. Watch events do not count. If
	// one source lists in pages several times at once, pages of the others may count. 0 means DefaultMaxListBytes,
	// and math.MaxInt64 means no limit.
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
