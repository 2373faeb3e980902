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
	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/control"
)

// patience is how long any one call may take.
const patience = 2 * time.Minute

var errNotStarted = errors.New("the server is not started: call " + control.Start + " first")

// service has the methods of the protocol. Its exported methods are called
// concurrently, by net/rpc.
type service struct {
	ctx context.Context

	mu      sync.Mutex
	running *apiServer
	dir     string
}

// Start starts the server.
func (s *service) Start(args control.StartArgs, reply *control.StartReply) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil {
		return errors.New("the server is started already")
	}
	s.dir = args.Dir
	running, err := startAPIServer(s.ctx, args)
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
func (s *service) StopServer(control.None, *control.None) error {
	return s.do((*apiServer).StopServer)
}

// StartServer starts the API server again.
func (s *service) StartServer(control.None, *control.None) error {
	return s.do((*apiServer).StartServer)
}

// RestartServer stops and starts the API server.
func (s *service) RestartServer(control.None, *control.None) error {
	return s.do((*apiServer).RestartServer)
}

// SaveData keeps a copy of the data.
func (s *service) SaveData(control.None, *control.None) error {
	return s.do((*apiServer).SaveData)
}

// RestoreData puts the copy back.
func (s *service) RestoreData(control.None, *control.None) error {
	return s.do((*apiServer).RestoreData)
}

// CompactData compacts etcd.
func (s *service) CompactData(control.None, *control.None) error {
	return s.do((*apiServer).CompactData)
}

// Inflict has some clients suffer from a fault.
func (s *service) Inflict(args control.InflictArgs, _ *control.None) error {
	return s.do(func(running *apiServer, _ context.Context) error {
		f := apiserver.Fault{Kind: apiserver.FaultKind(args.Kind), URL: args.URL, Renew: args.Renew}
		running.proxy.Inflict(f, args.UserAgents...)
		return nil
	})
}

// CutConnections breaks the live connections of clients in the middle of whatever they carry.
func (s *service) CutConnections(_ control.None, cut *int) error {
	return s.do(func(running *apiServer, _ context.Context) error {
		*cut = running.proxy.Cut()
		return nil
	})
}

// RefuseConnections resets each new connection of a client as long as it is on.
func (s *service) RefuseConnections(on bool, _ *control.None) error {
	return s.do(func(running *apiServer, _ context.Context) error {
		running.proxy.Refuse(on)
		return nil
	})
}

func (s *service) do(method func(*apiServer, context.Context) error) error {
	running, err := s.started()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	return method(running, ctx)
}

func (s *service) started() (*apiServer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		return nil, errNotStarted
	}
	return s.running, nil
}

// close ends the server and removes its data, because the parent may have ended
// without removing it.
func (s *service) close() error {
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
