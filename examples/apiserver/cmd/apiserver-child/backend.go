// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/proxy"
)

// stopGrace is how long the API server may take to end its requests.
const stopGrace = 5 * time.Second

// backend is one run of an API server, from a start to the next stop.
type backend struct {
	proxy     *proxy.Backend
	transport *http.Transport // of proxy
	token     string          // of the administrator
	end       func()          // asks the server to end
	kill      func()          // ends what keeps the server from ending; may be called again
	stopped   atomic.Bool     // stop was called
	done      chan struct{}   // closed when the server has ended
	err       error           // why the run ended, once done is closed
}

// startBackend starts an API server on a free port and waits until it is ready.
// The run ends by stop; ctx bounds the start alone.
func (s *apiServer) startBackend(ctx context.Context) (*backend, error) {
	start := s.startCustomResources
	if s.kubeAPIServer != "" {
		start = s.startKubernetes
	}
	b, err := start(ctx)
	if err != nil {
		return nil, err
	}
	if err := b.waitReady(ctx); err != nil {
		b.stop(false)
		return nil, err
	}
	go func() {
		if <-b.done; !b.stopped.Load() {
			s.shutdown(b.err)
		}
	}()
	return b, nil
}

// connect prepares requests to the server at address, which has the certificate
// in PEM.
func (b *backend) connect(address string, certificate []byte) {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(certificate)
	b.transport = &http.Transport{
		TLSClientConfig:    &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:  true,
		DisableCompression: true,
	}
	b.proxy = &proxy.Backend{URL: &url.URL{Scheme: "https", Host: address}, Transport: b.transport}
}

// stop ends the run and waits until it has ended. Gracefully means that watches
// end cleanly and requests are answered, which takes at least the second that
// HTTP/2 gives to connections; otherwise all connections are cut.
func (b *backend) stop(gracefully bool) {
	defer b.transport.CloseIdleConnections()
	b.stopped.Store(true)
	b.end()
	if gracefully {
		late := time.NewTimer(stopGrace)
		defer late.Stop()
		select {
		case <-b.done:
			return
		case <-late.C:
		}
	}
	// Clients within the server may connect anew until they end.
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		b.kill()
		select {
		case <-b.done:
			return
		case <-tick.C:
		}
	}
}

// waitReady polls the server until it is ready; it has no way to notify us.
func (b *backend) waitReady(ctx context.Context) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	var last string
	for {
		code, err := b.readyz(ctx)
		switch {
		case err != nil:
			last = err.Error()
		case code == http.StatusOK:
			return nil
		default:
			last = http.StatusText(code)
		}
		select {
		case <-tick.C:
		case <-b.done:
			return fmt.Errorf("the API server ended while it started: %w", b.err)
		case <-ctx.Done():
			return fmt.Errorf("waiting for the API server (%s): %w", last, context.Cause(ctx))
		}
	}
}

func (b *backend) readyz(ctx context.Context) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.proxy.URL.JoinPath("readyz").String(), nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+b.token)
	res, err := b.transport.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	res.Body.Close()
	return res.StatusCode, nil
}
