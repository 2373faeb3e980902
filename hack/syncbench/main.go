// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

type flags struct {
	objects, rounds, relists, replays, events, recorded int
	gzip, pods, factory                                 bool
	only, profiles                                      string
}

func main() {
	var f flags
	flag.BoolVar(&f.pods, "pods", false, "read Pods from a whole kube-apiserver instead of custom resources")
	flag.BoolVar(&f.factory, "factory", false,
		"read Pods through a factory of client-go instead, without and with our informer")
	flag.IntVar(&f.objects, "n", goalObjects, "how many objects to create")
	flag.IntVar(&f.rounds, "rounds", 3, "how often each client syncs")
	flag.IntVar(&f.relists, "relists", 1, "how often each client relists")
	flag.IntVar(&f.replays, "replays", 1, "how often each client follows the watch")
	flag.IntVar(&f.events, "events", 500_000, "how many events the watch replays")
	flag.IntVar(&f.recorded, "recorded", 5_000, "how many objects the events are about, at most")
	flag.BoolVar(&f.gzip, "gzip", true, "have the clients ask for compressed answers, as they do by default")
	flag.StringVar(&f.only, "only", "", "run only the clients whose names match this glob")
	flag.StringVar(&f.profiles, "profiles", "",
		"a directory, made if need be, for CPU profiles of the clients, of the last round of each")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, f, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "syncbench:", err)
		os.Exit(1)
	}
}

// run measures everything. It writes figures to out and its progress to progress.
func run(ctx context.Context, f flags, out, progress io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "syncbench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if f.profiles != "" {
		if err := os.MkdirAll(f.profiles, 0o777); err != nil {
			return err
		}
	}
	w := widgets()
	switch {
	case f.factory:
		w = factories()
	case f.pods:
		w = pods()
	}
	if w.configs, err = choose(w.configs, f.only); err != nil {
		return err
	}
	fmt.Fprintln(progress, "building the clients")
	programs, err := build(ctx, w.clients, dir)
	if err != nil {
		return err
	}
	w.server.Progress = progress
	server, err := apiserver.Start(ctx, w.server)
	if err != nil {
		return err
	}
	defer func() {
		if closed := server.Close(); err == nil {
			err = closed
		}
	}()
	fmt.Fprintf(progress, "creating %d objects\n", f.objects)
	if err := create(ctx, server.Endpoint, w, f.objects); err != nil {
		return err
	}
	b := &bench{
		flags: f, workload: w, programs: programs, server: server, progress: progress, objects: f.objects,
		results: map[string]*figures{},
	}
	failed := b.all(ctx)
	if failed != nil {
		fmt.Fprintln(out, "not all was measured:", failed)
	}
	fmt.Fprintf(out, "%d objects, %d B on the wire each; %s, GOMAXPROCS=%d, GOGC=%q, GOMEMLIMIT=%q, gzip %v\n\n",
		f.objects, b.bytes/max(1, f.objects), runtime.Version(), runtime.GOMAXPROCS(0),
		os.Getenv("GOGC"), os.Getenv("GOMEMLIMIT"), f.gzip)
	b.print(out)
	b.ratios(out)
	return failed
}
