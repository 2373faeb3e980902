// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"

	"k8s.io/klog/v2"
)

func main() {
	cfg := config{out: os.Stdout}
	flag.IntVar(&cfg.faults, "faults", 100, "how many `faults` to inflict")
	flag.Uint64Var(&cfg.seed, "seed", 1, "`seed` of the choice of faults and writes")
	flag.BoolVar(&cfg.verbose, "v", false, "print each round of faults and each error of an informer")
	flag.Parse()
	klog.SetSlogLogger(slog.New(slog.DiscardHandler)) // client-go logs what informers report
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, cfg); err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
}
