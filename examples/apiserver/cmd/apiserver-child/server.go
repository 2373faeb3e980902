// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

import (
	"context"
	"errors"
	"sync"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/control"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/proxy"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/selfsigned"
)

// apiServer is a real API server, running in this process or beside it, and the etcd that it needs. Clients find it at
// its Endpoint. Its methods may be called concurrently; those that stop and start wait for each other.
//
// It has three parts. First comes the proxy that clients talk to, whose address and certificate last. Then come etcd,
// on a socket in its data directory, and the API server, on a free port of loopback that is another one after each
// start. The API server for custom resources authenticates clients itself. It has no admission plug-ins and no priority
// and fairness, because all of those need built-in types. A kube-apiserver in a process beside this one can stand in
// for it.
type apiServer struct {
	apiserver.Endpoint

	proxy         *proxy.Proxy
	accounts      accounts
	identity      selfsigned.Pair // of the API server; its key signs ServiceAccount tokens
	kubeAPIServer string          // its path; empty for custom resources only
	flags         []string
	dir           string // of the data; it needs a short path, since it holds a socket
	done          chan struct{}
	closing       sync.Once
	closeErr      error

	// turn holds one token. Its holder may change the fields below.
	turn     chan struct{}
	closed   bool
	database *database
	backend  *backend
}

// startAPIServer starts etcd and an API server, and returns once clients can use them. ctx bounds the start.
func startAPIServer(ctx context.Context, args control.StartArgs) (*apiServer, error) {
	s := &apiServer{
		accounts: accounts{}, kubeAPIServer: args.KubeAPIServer, flags: args.Flags, dir: args.Dir,
		done: make(chan struct{}), turn: make(chan struct{}, 1),
	}
	s.turn <- struct{}{}
	if err := s.start(ctx, args.Users); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *apiServer) start(ctx context.Context, users []control.User) (err error) {
	if s.identity, err = selfsigned.New(); err != nil {
		return err
	}
	if s.proxy, err = proxy.Start(); err != nil {
		return err
	}
	s.Endpoint = apiserver.Endpoint{
		URL:      s.proxy.URL(),
		PlainURL: s.proxy.PlainURL(),
		Token:    s.accounts.add(administrator),
		CA:       s.proxy.CA(),
		Tokens:   map[string]string{},
	}
	for _, u := range users {
		s.Tokens[u.Name] = s.accounts.add(apiserver.User(u))
	}
	return s.StartServer(ctx)
}

// Done is closed when the server has ended for good: by Close, or because the API server has ended by itself. Close
// then returns the reason.
func (s *apiServer) Done() <-chan struct{} { return s.done }

// Close ends the server for good and waits until it has ended. A second call returns what the first did.
func (s *apiServer) Close() error {
	s.shutdown(nil)
	return s.closeErr
}

// shutdown ends the server. Close returns cause if it is the first call.
func (s *apiServer) shutdown(cause error) {
	s.closing.Do(func() {
		defer close(s.done)
		<-s.turn
		defer func() { s.turn <- struct{}{} }()
		s.closed = true
		if s.proxy != nil {
			s.closeErr = errors.Join(cause, s.proxy.Close())
		}
		s.stopBackend(false)
		s.stopDatabase()
	})
}
