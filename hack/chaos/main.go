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
	"time"

	"k8s.io/klog/v2"
)

func main() {
	cfg := config{out: os.Stdout}
	flag.IntVar(&cfg.faults, "faults", 100, "how many `faults` to inflict")
	flag.IntVar(&cfg.outages, "outages", 0, "compare recoveries from so many `outages` of each kind with client-go, instead")
	flag.DurationVar(&cfg.away, "away", 3*time.Second, "how long the server is away in an outage, plus up to a second")
	flag.Uint64Var(&cfg.seed, "seed", 1, "`seed` of the choice of faults and writes")
	flag.BoolVar(&cfg.verbose, "v", false, "print each round of faults and each error of an informer")
	flag.Parse()
	klog.SetSlogLogger(slog.New(slog.DiscardHandler)) // client-go logs what informers report
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	do := run
	if cfg.outages > 0 {
		do = runOutages
	}
	if err := do(ctx, cfg); err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
}
