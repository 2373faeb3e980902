// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package inprocess

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"k8s.io/client-go/rest"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/loopback"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/proxy"
)

// stopGrace is how long the API server may take to end its requests.
const stopGrace = 5 * time.Second

// backend is one run of the API server, from a start to the next stop.
type backend struct {
	proxy     *proxy.Backend
	transport *http.Transport // of proxy
	listener  *loopback.Listener
	cancel    context.CancelFunc
	done      chan struct{}
	err       error // why the run ended, once done is closed
}

// startBackend starts an API server on a free port and waits until it is ready.
// The run ends by stop; ctx bounds the start alone.
func startBackend(ctx context.Context, etcd string, flags []string) (*backend, error) {
	l, err := loopback.Listen()
	if err != nil {
		return nil, err
	}
	o, err := serverOptions(etcd, flags, l)
	if err != nil {
		l.Close()
		return nil, err
	}
	server, err := newServer(o)
	if err != nil {
		l.Close()
		return nil, err
	}
	b := &backend{listener: l, done: make(chan struct{})}
	if err := b.connect(server.LoopbackClientConfig); err != nil {
		l.Close()
		server.Destroy()
		return nil, err
	}
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	b.cancel = cancel
	go func() {
		defer close(b.done)
		b.err = server.PrepareRun().RunWithContext(run)
	}()
	if err := b.waitReady(ctx); err != nil {
		b.stop(false)
		return nil, err
	}
	return b, nil
}

// stop ends the run and waits until it has ended. Gracefully means that watches
// end cleanly and requests are answered, which takes at least the second that
// HTTP/2 gives to connections; otherwise all connections are cut.
func (b *backend) stop(gracefully bool) {
	defer b.transport.CloseIdleConnections()
	b.cancel()
	if gracefully {
		late := time.NewTimer(stopGrace)
		defer late.Stop()
		select {
		case <-b.done:
			return
		case <-late.C:
		}
	}
	// The clients within the server may connect anew until they are told to end.
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		b.listener.Cut()
		select {
		case <-b.done:
			return
		case <-tick.C:
		}
	}
}

// connect makes what the proxy needs to reach the server as the client that the
// server trusts most.
func (b *backend) connect(config *rest.Config) error {
	u, err := url.Parse(config.Host)
	if err != nil {
		return fmt.Errorf("address of the API server: %w", err)
	}
	tlsConfig, err := rest.TLSConfigFor(config)
	if err != nil {
		return fmt.Errorf("certificate of the API server: %w", err)
	}
	b.transport = &http.Transport{TLSClientConfig: tlsConfig, ForceAttemptHTTP2: true, DisableCompression: true}
	b.proxy = &proxy.Backend{URL: u, Token: config.BearerToken, Transport: b.transport}
	return nil
}

// waitReady asks the server until it says that it is ready. It has no other way
// to tell.
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
			return fmt.Errorf("the API server ended while it started: %w: see what it wrote to Log", b.err)
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
	req.Header.Set("Authorization", "Bearer "+b.proxy.Token)
	res, err := b.transport.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	res.Body.Close()
	return res.StatusCode, nil
}
