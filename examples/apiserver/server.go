// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/control"
)

// Server is a real API server, running in a child process.
// Clients find it at its Endpoint. Its methods may be called concurrently;
// those that stop and start wait for each other. When the context of a method
// ends, the method returns, but what it asked for may still happen.
type Server struct {
	Endpoint

	child    *child
	dir      string
	done     chan struct{}
	closing  sync.Once
	closeErr error
	detach   func() bool
}

// Start builds the server unless it is built, starts it and returns once
// clients can use it. The first build takes minutes. After that all of it takes
// less than a second, or a few seconds with [Options.Kubernetes].
//
// The server lives until Close is called or ctx is done, whichever comes first,
// and it does not survive this process, however this process ends.
func Start(ctx context.Context, o Options) (*Server, error) {
	s := &Server{done: make(chan struct{})}
	if err := s.start(ctx, o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.detach = context.AfterFunc(ctx, s.shutdown)
	go func() {
		<-s.child.exited
		s.shutdown()
	}()
	return s, nil
}

func (s *Server) start(ctx context.Context, o Options) (err error) {
	crds, err := readCRDs(o.CRDs)
	if err = errors.Join(o.check(), err); err != nil {
		return err
	}
	args := control.StartArgs{Flags: o.Flags}
	for _, u := range o.Users {
		args.Users = append(args.Users, control.User(u))
	}
	if o.Kubernetes {
		var release func()
		if args.KubeAPIServer, release, err = findKubeAPIServer(ctx, o.Progress); err != nil {
			return err
		}
		defer release()
	}
	if s.child, err = launch(ctx, o); err != nil {
		return err
	}
	// This process removes the directory, even if the child is killed.
	if s.dir, err = os.MkdirTemp("", "indexer-gen-"); err != nil {
		return fmt.Errorf("making a directory for etcd: %w", err)
	}
	args.Dir = s.dir
	var reply control.StartReply
	if err := s.child.call(ctx, control.Start, args, &reply); err != nil {
		return fmt.Errorf("starting the example API server: %w", err)
	}
	s.Endpoint = Endpoint(reply)
	return s.applyCRDs(ctx, crds)
}

// StopServer stops the API server and waits until it has stopped. Watches end,
// and until the next start every request is answered with 503 Service
// Unavailable. The data stay. To stop a stopped server does nothing.
func (s *Server) StopServer(ctx context.Context) error {
	return s.call(ctx, control.StopServer, control.None{}, new(control.None))
}

// StartServer starts the API server again on the data that are there, and
// returns once it is ready. To start a running server does nothing.
func (s *Server) StartServer(ctx context.Context) error {
	return s.call(ctx, control.StartServer, control.None{}, new(control.None))
}

// RestartServer stops the API server and starts it again. Resource versions
// from before the restart are too old for a watch afterward: it gets 410 Gone.
func (s *Server) RestartServer(ctx context.Context) error {
	return s.call(ctx, control.RestartServer, control.None{}, new(control.None))
}

// SaveData keeps a copy of the data, in place of an earlier copy. The server is
// down meanwhile, and runs afterward if it ran before.
func (s *Server) SaveData(ctx context.Context) error {
	return s.call(ctx, control.SaveData, control.None{}, new(control.None))
}

// RestoreData puts the copy that SaveData made back in place, as when etcd is
// restored from a backup: everything since is forgotten and resource versions
// go backward. The server is down meanwhile, and runs afterward if it ran
// before.
func (s *Server) RestoreData(ctx context.Context) error {
	return s.call(ctx, control.RestoreData, control.None{}, new(control.None))
}

// CompactData makes etcd drop all versions of objects but the latest. A read at
// an earlier resource version gets 410 Gone, unless the server's watch cache
// still has that version. A restart empties the watch cache.
func (s *Server) CompactData(ctx context.Context) error {
	return s.call(ctx, control.CompactData, control.None{}, new(control.None))
}

// CutConnections breaks the live connections of clients in the middle of
// whatever they carry, and returns how many there were.
func (s *Server) CutConnections(ctx context.Context) (int, error) {
	cut := new(int)
	if err := s.call(ctx, control.CutConnections, control.None{}, cut); err != nil {
		return 0, err
	}
	return *cut, nil
}

// RefuseConnections resets each new connection of a client as long as it is on.
// Call CutConnections after it to make the server unreachable.
func (s *Server) RefuseConnections(ctx context.Context, on bool) error {
	return s.call(ctx, control.RefuseConnections, on, new(control.None))
}

// call calls a method of the child unless the server has ended.
func (s *Server) call(ctx context.Context, method string, args, reply any) error {
	select {
	case <-s.done:
		return errors.New("the example API server is closed: start another one")
	default:
		return s.child.call(ctx, method, args, reply)
	}
}

// Done is closed when the server has ended for good: by Close, with the context
// of Start, or because its process has ended. Close then returns the reason.
func (s *Server) Done() <-chan struct{} { return s.done }

// Close ends the server for good, waits until it has ended, and removes its
// data. A second call returns what the first did.
func (s *Server) Close() error {
	if s.detach != nil {
		s.detach()
	}
	s.shutdown()
	return s.closeErr
}

func (s *Server) shutdown() {
	s.closing.Do(func() {
		defer close(s.done)
		if s.child != nil {
			s.closeErr = s.child.close()
		}
		if s.dir != "" {
			s.closeErr = errors.Join(s.closeErr, os.RemoveAll(s.dir))
		}
	})
}
