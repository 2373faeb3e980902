// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package proxy

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/loopback"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/selfsigned"
)

// Backend is a server that a proxy passes requests on to.
type Backend struct {
	// URL is the address of the server.
	URL *url.URL
	// Transport carries the requests. It must not add compression.
	Transport http.RoundTripper
}

// Proxy is a reverse proxy on loopback. Its methods may be called concurrently.
type Proxy struct {
	ca      []byte
	backend atomic.Pointer[Backend]
	clients clients

	secure, plain             *http.Server
	secureListen, plainListen *loopback.Listener

	serving   sync.WaitGroup
	secureErr error // why serving ended, once serving is done
	plainErr  error
}

// Start starts a proxy on two free ports of loopback. It has no backend yet.
func Start() (*Proxy, error) {
	pair, err := selfsigned.New()
	if err != nil {
		return nil, err
	}
	certificate, err := tls.X509KeyPair(pair.Certificate, pair.Key)
	if err != nil {
		return nil, fmt.Errorf("loading the certificate of the proxy: %w", err)
	}
	p := &Proxy{ca: pair.Certificate}
	if p.secureListen, err = loopback.Listen(); err != nil {
		return nil, err
	}
	if p.plainListen, err = loopback.Listen(); err != nil {
		p.secureListen.Close()
		return nil, err
	}
	p.secure = p.server()
	p.secure.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	p.plain = p.server()
	p.serving.Go(func() { p.secureErr = unlessClosed(p.secure.ServeTLS(p.secureListen, "", "")) })
	p.serving.Go(func() { p.plainErr = unlessClosed(p.plain.Serve(p.plainListen)) })
	return p, nil
}

// URL is the address of the proxy with TLS.
func (p *Proxy) URL() string { return "https://" + p.secureListen.Addr().String() }

// PlainURL is the address of the proxy in plain text.
func (p *Proxy) PlainURL() string { return "http://" + p.plainListen.Addr().String() }

// CA is the certificate authority of URL, in PEM.
func (p *Proxy) CA() []byte { return p.ca }

// SetBackend makes b the server that new requests go to; nil is none. Requests
// in flight stay with the server that they went to.
func (p *Proxy) SetBackend(b *Backend) { p.backend.Store(b) }

// Cut closes the live connections of clients, whatever is going on in them, and
// returns how many there were.
func (p *Proxy) Cut() int { return p.secureListen.Cut() + p.plainListen.Cut() }

// Refuse resets each new connection as long as it is on. Live connections stay;
// use Cut to be rid of them too.
func (p *Proxy) Refuse(on bool) {
	p.secureListen.Refuse(on)
	p.plainListen.Refuse(on)
}

// Close ends the proxy and waits until it no longer listens. It reports why
// serving had ended before, if it had.
func (p *Proxy) Close() error {
	err := errors.Join(p.secure.Close(), p.plain.Close())
	p.Cut()
	p.serving.Wait()
	return errors.Join(err, p.secureErr, p.plainErr)
}

func (p *Proxy) server() *http.Server {
	quiet := log.New(io.Discard, "", 0)
	forward := &httputil.ReverseProxy{
		Rewrite:       rewrite,
		Transport:     transport{},
		FlushInterval: -1,
		ErrorLog:      quiet,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			writeStatus(w, http.StatusServiceUnavailable, "ServiceUnavailable", failure(err))
		},
	}
	return &http.Server{
		ErrorLog:    quiet,
		ConnContext: withConn,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b := p.backend.Load()
			if b == nil {
				writeStatus(w, http.StatusServiceUnavailable, "ServiceUnavailable", "the example API server is stopped: start it again")
				return
			}
			p.faulty(w, r.WithContext(context.WithValue(r.Context(), backendKey{}, b)), forward)
		}),
	}
}

type backendKey struct{}

func backendOf(ctx context.Context) *Backend { return ctx.Value(backendKey{}).(*Backend) }

func rewrite(r *httputil.ProxyRequest) {
	r.SetURL(backendOf(r.In.Context()).URL)
}

// transport sends each request through the transport of its own backend.
type transport struct{}

func (transport) RoundTrip(r *http.Request) (*http.Response, error) {
	return backendOf(r.Context()).Transport.RoundTrip(r)
}

// failure says why a request has no response. Only a failed dial proves that the
// server has not begun to serve the request.
func failure(err error) string {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return fmt.Sprintf("the example API server cannot be reached: %v", err)
	}
	return fmt.Sprintf("the example API server aborted the request without a response: %v: see its log", err)
}

func unlessClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return fmt.Errorf("serving on loopback for clients of the example API server: %w", err)
}
