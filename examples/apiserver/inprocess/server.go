// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package inprocess

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/proxy"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/selfsigned"
)

// Options choose how a server is started. The zero value is good.
type Options struct {
	// CRDs are files and directories of custom resource definitions, which are
	// applied and served when Start returns. See [apiserver.Endpoint.ApplyCRDs].
	CRDs []string
	// Users are users beside the administrator; see [apiserver.Endpoint.As].
	Users []apiserver.User
	// KubeAPIServer is the path of a kube-apiserver to run, in a process of its
	// own, in place of the server for custom resources. Empty means none.
	KubeAPIServer string
	// Flags are flags for the API server, which come after our own. Feature
	// gates among them hold for the whole process, also for servers started
	// later.
	Flags []string
	// Log receives what etcd and the API server write; nil discards it. The API
	// server logs through klog, which is global in a process: the Log of the
	// server that was started last receives the messages of all.
	Log io.Writer
	// Dir keeps the data, and is left in place by Close. It needs a short path,
	// since it holds a socket. If empty, the server makes a temporary directory
	// and removes it.
	Dir string
}

// Server is a real API server, running in this process or beside it.
// Clients find it at its Endpoint. Its methods may be called concurrently;
// those that stop and start wait for each other.
type Server struct {
	apiserver.Endpoint

	proxy         *proxy.Proxy
	accounts      accounts
	identity      selfsigned.Pair // of the API server; its key signs ServiceAccount tokens
	kubeAPIServer string
	flags         []string
	log           io.Writer
	dir           string
	temporary     bool
	done          chan struct{}
	closing       sync.Once
	closeErr      error
	detach        func() bool
	unlog         func()

	// turn holds one token. Its holder may change the fields below.
	turn     chan struct{}
	closed   bool
	database *database
	backend  *backend
}

// Start starts etcd and an API server, and returns once clients can use them.
// The server lives until Close is called or ctx is done, whichever comes first.
func Start(ctx context.Context, o Options) (*Server, error) {
	s := &Server{
		accounts:      accounts{},
		kubeAPIServer: o.KubeAPIServer,
		flags:         o.Flags,
		log:           o.Log,
		dir:           o.Dir,
		done:          make(chan struct{}),
		turn:          make(chan struct{}, 1),
	}
	s.turn <- struct{}{}
	if s.log == nil {
		s.log = io.Discard
	}
	s.unlog = sendKlog(s.log)
	if err := s.start(ctx, o.CRDs, o.Users); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.detach = context.AfterFunc(ctx, func() { s.shutdown(nil) })
	return s, nil
}

func (s *Server) start(ctx context.Context, crds []string, users []apiserver.User) (err error) {
	if s.dir == "" {
		s.temporary = true
		if s.dir, err = os.MkdirTemp("", "indexer-gen-"); err != nil {
			return fmt.Errorf("making a directory for etcd: %w", err)
		}
	}
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
		s.Tokens[u.Name] = s.accounts.add(u)
	}
	if err := s.StartServer(ctx); err != nil {
		return err
	}
	return s.ApplyCRDs(ctx, crds...)
}

// Inflict has the clients with these User-Agents suffer from f, in place of
// what they suffered from before.
func (s *Server) Inflict(f apiserver.Fault, userAgents ...string) { s.proxy.Inflict(f, userAgents...) }

// CutConnections breaks the live connections of clients in the middle of
// whatever they carry, and returns how many there were.
func (s *Server) CutConnections() int { return s.proxy.Cut() }

// RefuseConnections resets each new connection of a client as long as it is on.
// Call CutConnections after it to make the server unreachable.
func (s *Server) RefuseConnections(on bool) { s.proxy.Refuse(on) }

// Done is closed when the server has ended for good: by Close, with the context of
// Start, or because the API server has ended by itself. Close then returns the reason.
func (s *Server) Done() <-chan struct{} { return s.done }

// Close ends the server for good and waits until it has ended. It removes the
// data unless Options.Dir was set. A second call returns what the first did.
func (s *Server) Close() error {
	if s.detach != nil {
		s.detach()
	}
	s.shutdown(nil)
	return s.closeErr
}

// shutdown ends the server. Close returns cause if it is the first call.
func (s *Server) shutdown(cause error) {
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
		s.unlog()
		if s.temporary && s.dir != "" {
			s.closeErr = errors.Join(s.closeErr, os.RemoveAll(s.dir))
		}
	})
}
