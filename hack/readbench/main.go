// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command readbench measures a manager that watches all Secrets and reads a few, with controller-runtime's cache of
// whole Secrets, with its cache of metadata and reads from the server, and with ctrlread.HoldRead:
//
//	go run ./readbench           # in hack; half an hour, and 10 GB of memory
//	go run ./readbench -n 10000
//
// It starts a kube-apiserver and creates Secrets, half of them with 20 KB of data and half with 2 KB. Each tenth has
// the annotation last-applied-configuration. Each run is a process of its own:
//
//   - start: until the 100 Secrets that are read have been reconciled. CPU is that of the API server.
//   - live: the heap after a collection, and peak the highest resident memory.
//   - unread: the live heap per Secret, less that of a manager without Secrets and less the data that were read.
//   - requests: for Secrets by name, per reconcile. First at the start, then in ten more reconciles of each Secret
//     while nothing changes, then in a rotation of 1,000 Secrets that have been read.
//   - found: how many Secrets that were not read have a value in the heap dump of the process, decoded or in base64.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

// The variants of a run. The first has no Secrets.
const (
	empty    = "no Secrets"
	whole    = "whole Secrets"
	metadata = "metadata, live reads"
	holdRead = "HoldRead"
)

var variants = []string{empty, whole, metadata, holdRead}

// variantVariable has the variant in the environment of a run.
const variantVariable = "READBENCH_VARIANT"

func main() {
	ctrl.SetLogger(logr.Discard())
	n := flag.Int("n", 100_000, "how many Secrets to create")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	do := func() error { return bench(ctx, *n, os.Stdout, os.Stderr) }
	if variant := os.Getenv(variantVariable); variant != "" {
		do = func() error { return measure(ctx, variant, os.Stdin, os.Stdout) }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "readbench:", err)
		os.Exit(1)
	}
}

// job is what a run reads from its standard input.
type job struct {
	Endpoint apiserver.Endpoint
	Secrets  int
}

// figures are the results of a run.
type figures struct {
	Server              time.Duration // of the start
	Start               time.Duration
	Peak, Live, Held    uint64 // bytes
	First, Idle, Rotate float64
	Found               int
}

// bench runs all variants.
func bench(ctx context.Context, n int, out, progress io.Writer) (err error) {
	server, err := apiserver.Start(ctx, apiserver.Options{Kubernetes: true, Progress: progress})
	if err != nil {
		return err
	}
	defer func() {
		if closed := server.Close(); err == nil {
			err = closed
		}
	}()
	fmt.Fprintf(progress, "creating %d Secrets\n", n)
	if err := create(ctx, server.Endpoint, n); err != nil {
		return err
	}
	results := map[string]figures{}
	for _, variant := range variants {
		fmt.Fprintln(progress, "running", variant)
		if results[variant], err = run(ctx, variant, job{server.Endpoint, n}); err != nil {
			return fmt.Errorf("%s: %w", variant, err)
		}
	}
	report(out, n, results)
	return nil
}

// run starts a process for a variant. The process writes its figures twice: at its start, and at its end.
func run(ctx context.Context, variant string, j job) (f figures, err error) {
	self, err := os.Executable()
	if err != nil {
		return f, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), variantVariable+"="+variant)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return f, err
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return f, err
	}
	began := serverTime()
	if err := cmd.Start(); err != nil {
		return f, err
	}
	if err := json.NewEncoder(in).Encode(j); err != nil {
		return f, err
	}
	results := json.NewDecoder(answers)
	if err := results.Decode(&f); err != nil {
		return f, err
	}
	server := serverTime() - began
	if err := results.Decode(&f); err != nil {
		return f, err
	}
	f.Server = server
	return f, cmd.Wait()
}

func report(out io.Writer, n int, results map[string]figures) {
	fmt.Fprintf(out, "%d Secrets; %s, GOMAXPROCS=%d\n\n", n, runtime.Version(), runtime.GOMAXPROCS(0))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tserver CPU s\tstart s\tpeak MB\tlive MB\tunread B\trequests, start\tidle\trotation\tfound\t")
	for _, variant := range variants {
		f := results[variant]
		unread := float64(f.Live-results[empty].Live-f.Held) / float64(n)
		fmt.Fprintf(w, "%s\t%.2f\t%.1f\t%.1f\t%.1f\t%.0f\t%.2f\t%.2f\t%.2f\t%d\t\n", variant, f.Server.Seconds(),
			f.Start.Seconds(), float64(f.Peak)/1e6, float64(f.Live)/1e6, unread, f.First, f.Idle, f.Rotate, f.Found)
	}
	_ = w.Flush()
}
