// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package proxy

import (
	"compress/gzip"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

const (
	trickleBytes = 100
	tricklePause = 10 * time.Millisecond
)

// errTruncated ends a response that is to look complete.
var errTruncated = errors.New("the response is truncated")

// response passes the response to a request on, as the fault of the client has it.
type response struct {
	http.ResponseWriter
	client     *client
	request    *http.Request
	fault      apiserver.Fault // when the request came
	compressed bool            // by the server
	complete   bool            // is to look so
}

// Unwrap lets http.ResponseController find the wrapped writer.
func (b *response) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// endEarly ends the response when the client comes to suffer from a fault that
// ends responses under way. It returns when ctx ends.
func (b *response) endEarly(ctx context.Context, cut func(), changed <-chan struct{}) {
	for {
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
		var f apiserver.Fault
		f, changed = b.client.now()
		switch f.Kind {
		case apiserver.NoFault:
			continue
		case apiserver.Stall, apiserver.Trickle:
			if !f.Renew {
				continue
			}
			b.complete = true
		case apiserver.Cut:
			closeConn(b.request, net.Conn.Close)
		case apiserver.HalfClose:
			b.halfClose(ctx, changed)
		default:
			b.complete = true
		}
		cut()
		return
	}
}

// halfClose ends the server's half of the connection, and waits until the client
// closes its own or suffers from something else.
func (b *response) halfClose(ctx context.Context, changed <-chan struct{}) {
	closeConn(b.request, closeWrite)
	select {
	case <-changed:
	case <-ctx.Done():
	}
}

func (b *response) WriteHeader(code int) {
	b.compressed = b.Header().Get("Content-Encoding") == "gzip"
	if b.truncates() {
		b.Header().Del("Content-Length")
		b.Header().Set("Content-Encoding", "gzip")
	}
	b.ResponseWriter.WriteHeader(code)
}

// truncates reports whether the response is to be compressed and truncated.
func (b *response) truncates() bool {
	return b.fault.Kind == apiserver.TruncatedGzip &&
		strings.Contains(b.request.Header.Get("Accept-Encoding"), "gzip")
}

func (b *response) Write(p []byte) (int, error) {
	switch {
	case b.truncates():
		return 0, b.truncate(p[:len(p)/2])
	case b.fault.Kind == apiserver.TruncatedGzip, b.fault.Kind == apiserver.HalfClose:
		b.writeNow(p[:len(p)/2])
		if b.fault.Kind == apiserver.HalfClose {
			_, changed := b.client.now()
			b.halfClose(b.request.Context(), changed)
		}
		panic(http.ErrAbortHandler)
	}
	return b.pass(p)
}

// truncate writes p, and nothing of what ends a compressed stream.
func (b *response) truncate(p []byte) error {
	b.complete = true
	if b.compressed {
		b.writeNow(p)
		return errTruncated
	}
	z := gzip.NewWriter(b.ResponseWriter)
	// If it fails, the client has gone.
	_, _ = z.Write(p)
	_ = z.Flush()
	return errTruncated
}

// pass passes p on, as fast as the fault of the moment allows.
func (b *response) pass(p []byte) (n int, err error) {
	for {
		f, changed := b.client.now()
		var next <-chan time.Time
		switch f.Kind {
		case apiserver.Stall:
		case apiserver.Trickle:
			n += b.writeNow(p[n:min(n+trickleBytes, len(p))])
			if n == len(p) {
				return n, nil
			}
			next = time.After(tricklePause)
		default:
			m, err := b.ResponseWriter.Write(p[n:])
			return n + m, err
		}
		select {
		case <-next:
		case <-changed:
		case <-b.request.Context().Done():
			return n, context.Cause(b.request.Context())
		}
	}
}

// writeNow writes p and flushes it. An error means that the client has gone.
func (b *response) writeNow(p []byte) int {
	n, _ := b.ResponseWriter.Write(p)
	_ = http.NewResponseController(b.ResponseWriter).Flush()
	return n
}

// end ends the response after the handler has returned or panicked with v.
func (b *response) end(v any) {
	if v != nil && !b.complete {
		panic(v)
	}
}
