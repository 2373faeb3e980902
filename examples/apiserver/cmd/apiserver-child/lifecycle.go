// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// errClosed is what the methods of a closed server return.
var errClosed = errors.New("the example API server is closed: start another one")

// StopServer stops the API server and waits until it has stopped. Watches end,
// and until the next start every request is answered with 503 Service
// Unavailable. The data stay. To stop a stopped server does nothing.
func (s *apiServer) StopServer(ctx context.Context) error {
	return s.exclusively(ctx, func() error {
		s.stopBackend(true)
		return nil
	})
}

// StartServer starts the API server on the data that are there, and returns
// once it is ready. To start a running server does nothing.
func (s *apiServer) StartServer(ctx context.Context) error {
	return s.exclusively(ctx, func() error { return s.run(ctx) })
}

// RestartServer stops the API server and starts it again.
func (s *apiServer) RestartServer(ctx context.Context) error {
	return s.exclusively(ctx, func() error {
		s.stopBackend(true)
		return s.run(ctx)
	})
}

// SaveData keeps a copy of the data, in place of an earlier copy. The server is
// down meanwhile, and runs afterward if it ran before.
func (s *apiServer) SaveData(ctx context.Context) error {
	return s.exchange(ctx, func() error {
		return replaceDir(s.savedDir(), s.dataDir())
	})
}

// replaceDir replaces the directory to with a copy of from. If it fails, to is unchanged or absent.
func replaceDir(to, from string) error {
	incomplete := to + ".tmp"
	err := os.RemoveAll(incomplete)
	if err == nil {
		err = os.CopyFS(incomplete, os.DirFS(from))
	}
	if err == nil {
		err = os.RemoveAll(to)
	}
	if err == nil {
		err = os.Rename(incomplete, to)
	}
	if err != nil {
		return fmt.Errorf("copying the data: %w", err)
	}
	return nil
}

// RestoreData puts the copy that SaveData made back in place, as when etcd is
// restored from a backup: everything since is forgotten and resource versions
// go backward. The server is down meanwhile, and runs afterward if it ran
// before.
func (s *apiServer) RestoreData(ctx context.Context) error {
	return s.exchange(ctx, func() error {
		if _, err := os.Stat(s.savedDir()); err != nil {
			return fmt.Errorf("there is no copy of the data: call SaveData first: %w", err)
		}
		return replaceDir(s.dataDir(), s.savedDir())
	})
}

// CompactData makes etcd drop all versions of objects but the latest. A read at
// an earlier resource version gets 410 Gone, unless the server's watch cache
// still has that version. A restart empties the watch cache.
func (s *apiServer) CompactData(ctx context.Context) error {
	return s.exclusively(ctx, func() error {
		if s.database == nil {
			return errors.New("etcd is not running: start the server first")
		}
		return s.database.compact(ctx)
	})
}

// exchange calls f while neither the API server nor etcd runs.
func (s *apiServer) exchange(ctx context.Context, f func() error) error {
	return s.exclusively(ctx, func() error {
		running := s.backend != nil
		s.stopBackend(true)
		s.stopDatabase()
		err := f()
		if running {
			err = errors.Join(err, s.run(ctx))
		}
		return err
	})
}

// exclusively calls f once no other method stops or starts the server.
func (s *apiServer) exclusively(ctx context.Context, f func() error) error {
	select {
	case <-s.turn:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { s.turn <- struct{}{} }()
	if s.closed {
		return errClosed
	}
	return f()
}

// run starts the parts that are not running. The caller has the turn.
func (s *apiServer) run(ctx context.Context) (err error) {
	if s.database == nil {
		if s.database, err = startDatabase(ctx, s.dir); err != nil {
			return err
		}
	}
	if s.backend == nil {
		if s.backend, err = s.startBackend(ctx); err != nil {
			return err
		}
		s.proxy.SetBackend(s.backend.proxy)
	}
	return nil
}

// stopBackend stops the API server if it runs. The caller has the turn.
func (s *apiServer) stopBackend(gracefully bool) {
	if s.backend == nil {
		return
	}
	s.proxy.SetBackend(nil)
	s.backend.stop(gracefully)
	s.backend = nil
}

// stopDatabase stops etcd if it runs. The caller has the turn.
func (s *apiServer) stopDatabase() {
	if s.database == nil {
		return
	}
	s.database.stop()
	s.database = nil
}

func (s *apiServer) dataDir() string  { return filepath.Join(s.dir, dataName) }
func (s *apiServer) savedDir() string { return filepath.Join(s.dir, "saved") }
