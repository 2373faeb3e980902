// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

import (
	"context"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/loopback"
)

// startCustomResources starts an API server for custom resources in this
// process.
func (s *apiServer) startCustomResources(ctx context.Context) (*backend, error) {
	l, err := loopback.Listen()
	if err != nil {
		return nil, err
	}
	o, err := serverOptions(s.database.url, s.flags, l, s.identity)
	if err != nil {
		l.Close()
		return nil, err
	}
	server, err := newServer(o, s.accounts)
	if err != nil {
		l.Close()
		return nil, err
	}
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	b := &backend{token: s.Token, end: cancel, kill: func() { l.Cut() }, done: make(chan struct{})}
	b.connect(l.Addr().String(), s.identity.Certificate)
	go func() {
		defer close(b.done)
		b.err = server.PrepareRun().RunWithContext(run)
	}()
	return b, nil
}
