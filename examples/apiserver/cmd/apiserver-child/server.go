// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/inprocess"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/control"
)

// patience is how long any one call may take.
const patience = 2 * time.Minute

var errNotStarted = errors.New("the server is not started: call " + control.Start + " first")

// server has the methods of the protocol. Its exported methods are called
// concurrently, by net/rpc.
type server struct {
	ctx context.Context

	mu      sync.Mutex
	running *inprocess.Server
	dir     string
}

// Start starts the server.
func (s *server) Start(args control.StartArgs, reply *control.StartReply) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil {
		return errors.New("the server is started already")
	}
	s.dir = args.Dir
	options := inprocess.Options{Dir: args.Dir, KubeAPIServer: args.KubeAPIServer, Flags: args.Flags, Log: os.Stderr}
	for _, u := range args.Users {
		options.Users = append(options.Users, apiserver.User(u))
	}
	running, err := inprocess.Start(s.ctx, options)
	if err != nil {
		return err
	}
	s.running = running
	go func() {
		if <-running.Done(); s.ctx.Err() == nil { // by itself
			fmt.Fprintln(os.Stderr, running.Close())
			os.Exit(1)
		}
	}()
	*reply = control.StartReply(running.Endpoint)
	return nil
}

// StopServer stops the API server.
func (s *server) StopServer(control.None, *control.None) error {
	return s.do((*inprocess.Server).StopServer)
}

// StartServer starts the API server again.
func (s *server) StartServer(control.None, *control.None) error {
	return s.do((*inprocess.Server).StartServer)
}

// RestartServer stops and starts the API server.
func (s *server) RestartServer(control.None, *control.None) error {
	return s.do((*inprocess.Server).RestartServer)
}

// SaveData keeps a copy of the data.
func (s *server) SaveData(control.None, *control.None) error {
	return s.do((*inprocess.Server).SaveData)
}

// RestoreData puts the copy back.
func (s *server) RestoreData(control.None, *control.None) error {
	return s.do((*inprocess.Server).RestoreData)
}

// CompactData compacts etcd.
func (s *server) CompactData(control.None, *control.None) error {
	return s.do((*inprocess.Server).CompactData)
}

// Inflict has some clients suffer from a fault.
func (s *server) Inflict(args control.InflictArgs, _ *control.None) error {
	running, err := s.started()
	if err != nil {
		return err
	}
	f := apiserver.Fault{Kind: apiserver.FaultKind(args.Kind), URL: args.URL, Renew: args.Renew}
	running.Inflict(f, args.UserAgents...)
	return nil
}

// CutConnections breaks the live connections of clients.
func (s *server) CutConnections(_ control.None, cut *int) error {
	running, err := s.started()
	if err != nil {
		return err
	}
	*cut = running.CutConnections()
	return nil
}

// RefuseConnections refuses new connections of clients, or no longer.
func (s *server) RefuseConnections(on bool, _ *control.None) error {
	running, err := s.started()
	if err != nil {
		return err
	}
	running.RefuseConnections(on)
	return nil
}

func (s *server) do(method func(*inprocess.Server, context.Context) error) error {
	running, err := s.started()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	return method(running, ctx)
}

func (s *server) started() (*inprocess.Server, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		return nil, errNotStarted
	}
	return s.running, nil
}

// close ends the server and removes its data, because the parent may have ended
// without removing it.
func (s *server) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.running != nil {
		err = s.running.Close()
	}
	if s.dir != "" {
		err = errors.Join(err, os.RemoveAll(s.dir))
	}
	return err
}
