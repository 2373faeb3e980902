// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"

	"k8s.io/klog/v2"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

var errGoal = errors.New("a goal is missed")

func main() {
	rounds := flag.Int("rounds", 40, "how often each fault is repeated")
	away := flag.Duration(
		"away",
		3*time.Second,
		"how long the server is down or cut off, plus up to a second",
	)
	verbose := flag.Bool("v", false, "print each round and what the informers report")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	if err := run(ctx, *rounds, *away, *verbose, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "recovery:", err)
		os.Exit(1)
	}
}

// run measures rounds of each fault, and writes the figures to out.
func run(
	ctx context.Context,
	rounds int,
	away time.Duration,
	verbose bool,
	out, progress io.Writer,
) (err error) {
	server, err := apiserver.Start(ctx, apiserver.Options{CRDs: []string{crds()}, Progress: progress})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	b := &bench{server: server, log: io.Discard}
	if verbose {
		b.log = progress
	}
	if b.writer, err = newClient(server.Endpoint); err != nil {
		return err
	}
	held := true
	for _, f := range faults(server, away) {
		measured, err := b.measure(ctx, f, rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		held = report(out, f, measured) && held
	}
	if !held {
		return errGoal
	}
	return nil
}

// faults returns the ways in which server goes away.
func faults(server *apiserver.Server, away time.Duration) []fault {
	during := func(ctx context.Context, begin, end func(context.Context) error) error {
		if err := begin(ctx); err != nil {
			return err
		}
		// Clients that retry every second must not be in step with the end.
		select {
		case <-time.After(away + rand.N(time.Second)):
		case <-ctx.Done():
		}
		return end(ctx)
	}
	return []fault{
		{"restart", server.RestartServer, true},
		{fmt.Sprintf("%v down", away), func(ctx context.Context) error {
			return during(ctx, server.StopServer, server.StartServer)
		}, true},
		{fmt.Sprintf("%v cut off", away), func(ctx context.Context) error {
			return during(ctx, func(ctx context.Context) error {
				if err := server.RefuseConnections(ctx, true); err != nil {
					return err
				}
				_, err := server.CutConnections(ctx)
				return err
			}, func(ctx context.Context) error { return server.RefuseConnections(ctx, false) })
		}, false},
	}
}

// crds returns the directory of the quickstart's CRDs, wherever the command is run.
func crds() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "examples", "quickstart", "config", "crd")
}
