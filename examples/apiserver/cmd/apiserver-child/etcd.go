// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// maxSocketPath is how long the path of a socket may be on the strictest of the
// systems we run on.
const maxSocketPath = 103

// dataName is the name of the directory that etcd keeps its data in.
const dataName = "data"

// database is a running etcd of one member. It listens on a socket in its
// directory and on no port, so no other user can reach it and nothing races
// for an address.
type database struct {
	etcd *embed.Etcd
	url  string
}

// startDatabase starts etcd on the data in dir, or on none if dir is empty, and
// waits until it takes requests.
func startDatabase(ctx context.Context, dir string) (*database, error) {
	socket := filepath.Join(dir, "s")
	if len(socket) > maxSocketPath {
		return nil, fmt.Errorf("the path %s is too long for a socket: use a shorter directory, or set TMPDIR to one", socket)
	}
	client := url.URL{Scheme: "unix", Path: socket}
	peer := url.URL{Scheme: "http", Host: "127.0.0.1:0"} // a name only: there are no peers

	cfg := embed.NewConfig()
	cfg.Dir = filepath.Join(dir, dataName)
	cfg.ListenClientUrls = []url.URL{client}
	cfg.AdvertiseClientUrls = []url.URL{client}
	cfg.ListenPeerUrls = nil
	cfg.AdvertisePeerUrls = []url.URL{peer}
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)
	cfg.UnsafeNoFsync = true // the data need not survive a power failure
	cfg.TickMs = 10          // a single member need not wait long to elect itself
	cfg.ElectionMs = 100
	cfg.LogLevel = "error"
	cfg.ZapLoggerBuilder = embed.NewZapLoggerBuilder(zapLogger())

	etcd, err := embed.StartEtcd(cfg)
	if err != nil {
		return nil, fmt.Errorf("starting etcd in %s: %w", dir, err)
	}
	d := &database{etcd: etcd, url: client.String()}
	select {
	case <-etcd.Server.ReadyNotify():
		return d, nil
	case err = <-etcd.Err():
	case <-etcd.Server.StopNotify():
		err = fmt.Errorf("it stopped")
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	d.stop()
	return nil, fmt.Errorf("waiting for etcd in %s: %w", dir, err)
}

// stop ends etcd and waits until it has ended. The data stay.
func (d *database) stop() { d.etcd.Close() }

// compact forgets all versions but the latest.
func (d *database) compact(ctx context.Context) error {
	request := &etcdserverpb.CompactionRequest{Revision: d.etcd.Server.KV().Rev(), Physical: true}
	if _, err := d.etcd.Server.Compact(ctx, request); err != nil {
		return fmt.Errorf("compacting etcd at revision %d: %w", request.Revision, err)
	}
	return nil
}

func zapLogger() *zap.Logger {
	encoder := zapcore.NewConsoleEncoder(zap.NewProductionEncoderConfig())
	return zap.New(zapcore.NewCore(encoder, zapcore.Lock(os.Stderr), zapcore.ErrorLevel))
}
