// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command managerbench measures a manager of controller-runtime with controller-runtime's cache, with our
// informers in it (NewInformer), and with ctrlruntime.NewCache:
//
//	go run ./managerbench       # in hack; some minutes
//	go run ./managerbench -n 5000 -rounds 1
//
// It starts an API server and creates Devices. Each run is a process of its own, with three reconcilers of
// Devices, one index of the manager and reads by two fields. The figures are medians:
//
//   - sync: from the start of the manager until its cache has synced; CPU is that of the process, and peak
//     its highest resident memory.
//   - live: the heap after a collection, when each reconciler has been called for each Device.
//   - overhead: the live heap of a manager without reconcilers, less the Devices, which a process of its own
//     holds in a slice. With NewCache it is negative, because Devices share parts.
//   - list 50: processor time of a List by a field into a DeviceList, and a loop over the typed lister that
//     allocates the items and copies the Devices.
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
	"path/filepath"
	"runtime"
	"text/tabwriter"

	"github.com/go-logr/logr"
	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	ctrl "sigs.k8s.io/controller-runtime"
)

// The variants of a run. The first holds the Devices in a slice, without a manager.
const (
	alone       = "Devices alone"
	theirs      = "controller-runtime"
	newInformer = "NewInformer"
	newCache    = "NewCache"
)

var variants = []string{alone, theirs, newInformer, newCache}

// variantVariable has the variant in the environment of a run.
const variantVariable = "MANAGERBENCH_VARIANT"

func main() {
	ctrl.SetLogger(logr.Discard())
	n := flag.Int("n", 50_000, "how many Devices to create")
	rounds := flag.Int("rounds", 3, "how often each variant runs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	do := func() error { return bench(ctx, *n, *rounds, os.Stdout, os.Stderr) }
	if variant := os.Getenv(variantVariable); variant != "" {
		do = func() error { return measureOne(ctx, variant, os.Stdin, os.Stdout) }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "managerbench:", err)
		os.Exit(1)
	}
}

// bench runs all variants in turn.
func bench(ctx context.Context, n, rounds int, out, progress io.Writer) (err error) {
	server, err := apiserver.Start(ctx, apiserver.Options{CRDs: []string{crds()}, Progress: progress})
	if err != nil {
		return err
	}
	defer func() {
		if closed := server.Close(); err == nil {
			err = closed
		}
	}()
	fmt.Fprintf(progress, "creating %d Devices\n", n)
	if err := create(ctx, server.Endpoint, n); err != nil {
		return err
	}
	results, idle := map[string][]figures{}, map[string][]figures{}
	for round := range rounds {
		for _, variant := range variants {
			for reconcilers, into := range map[int]map[string][]figures{0: idle, 3: results} {
				one, err := run(ctx, variant, job{server.Endpoint, n, reconcilers})
				if err != nil {
					return fmt.Errorf("%s: %w", variant, err)
				}
				into[variant] = append(into[variant], one)
			}
		}
		fmt.Fprintf(progress, "round %d of %d done\n", round+1, rounds)
	}
	report(out, n, results, idle)
	return nil
}

// job is what a run reads from its standard input.
type job struct {
	Endpoint             apiserver.Endpoint
	Devices, Reconcilers int
}

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
	go func() {
		_ = json.NewEncoder(in).Encode(j)
		_ = in.Close()
	}()
	answer, err := cmd.Output()
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(answer, &f)
}

func report(out io.Writer, n int, results, idle map[string][]figures) {
	median := func(variant string, of func(figures) float64) float64 { return medianOf(results[variant], of) }
	overhead := func(variant string) float64 { return medianOf(idle[variant], live) - medianOf(idle[alone], live) }
	fmt.Fprintf(out, "%d Devices; %s, GOMAXPROCS=%d\n\n", n, runtime.Version(), runtime.GOMAXPROCS(0))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tsync CPU s\tpeak MB\tlive MB\toverhead B/Device\twatches\tlist 50, µs\tloop\ttyped\t")
	for _, variant := range variants {
		fmt.Fprintf(w, "%s\t%.2f\t%.1f\t%.1f\t%.0f\t%.0f\t%.1f\t%.1f\t%.2f\t\n", variant, median(variant, cpuSeconds),
			median(variant, peak)/1e6, median(variant, live)/1e6, overhead(variant)/float64(n), median(variant, watches),
			median(variant, listTime), median(variant, loopTime), median(variant, typedTime))
	}
	_ = w.Flush()
	goals := func(what string, most, ratio float64) {
		fmt.Fprintf(out, "%-40s at most %.2f: %.2f\n", what, most, ratio)
	}
	fmt.Fprintln(out)
	goals("NewCache, sync CPU", 1./3, median(newCache, cpuSeconds)/median(theirs, cpuSeconds))
	goals("NewCache, live heap", 0.6, median(newCache, live)/median(theirs, live))
	goals("NewCache, peak", 0.5, median(newCache, peak)/median(theirs, peak))
	goals("NewInformer, overhead", 1./3, overhead(newInformer)/overhead(theirs))
	goals("NewCache, list 50", 1, median(newCache, listTime)/median(theirs, listTime))
	goals("NewCache, list 50 against the loop", 1.15, median(newCache, listTime)/median(newCache, loopTime))
	goals("the same 50 from the typed lister", 0.2, median(newCache, typedTime)/median(newCache, listTime))
}

// crds is the directory of the definition of Devices.
func crds() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "examples", "quickstart", "config", "crd")
}
