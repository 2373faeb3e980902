// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package proxy

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

// faulty serves a request with the fault of its client. next serves it without
// a fault.
func (p *Proxy) faulty(w http.ResponseWriter, r *http.Request, next http.Handler) {
	c := p.clients.get(r.UserAgent())
	f, changed := c.now()
	for f.Kind == apiserver.Stall {
		select {
		case <-changed:
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		}
		f, changed = c.now()
	}
	if answer(w, r, f) {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	b := &response{ResponseWriter: w, client: c, request: r, fault: f}
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		b.endEarly(ctx, cancel, changed)
	}()
	defer func() {
		cancel()
		<-watched
		b.end(recover())
	}()
	next.ServeHTTP(b, r.WithContext(ctx))
}

// answer answers a request if f says what the answer is.
func answer(w http.ResponseWriter, r *http.Request, f apiserver.Fault) bool {
	switch f.Kind {
	case apiserver.Cut:
		closeConn(r, net.Conn.Close)
		panic(http.ErrAbortHandler)
	case apiserver.Unauthorized:
		writeStatus(w, http.StatusUnauthorized, "Unauthorized", "the fault of this client is 401")
	case apiserver.Throttled:
		w.Header().Set("Retry-After", "1")
		writeStatus(w, http.StatusTooManyRequests, "TooManyRequests", "the fault of this client is 429")
	case apiserver.InternalError:
		writeStatus(w, http.StatusInternalServerError, "InternalError", "the fault of this client is 500")
	case apiserver.HTML:
		w.Header().Set("Content-Type", "text/html")
		// A failure to write means that the client has gone.
		_, _ = io.WriteString(w, "<!DOCTYPE html><html><body>Please log in</body></html>")
	case apiserver.Redirect:
		http.Redirect(w, r, f.URL+r.URL.RequestURI(), http.StatusTemporaryRedirect)
	default:
		return false
	}
	return true
}

// connKey is the key of the connection in the context of a request.
type connKey struct{}

func withConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// closeConn closes the connection of a request, or half of it, without the
// goodbye of TLS.
func closeConn(r *http.Request, how func(net.Conn) error) {
	conn, _ := r.Context().Value(connKey{}).(net.Conn)
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	// An error means that the connection is closed already.
	_ = how(conn)
}

func closeWrite(conn net.Conn) error {
	return conn.(interface{ CloseWrite() error }).CloseWrite()
}
