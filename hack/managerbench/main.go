// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command managerbench measures managers of controller-runtime, with controller-runtime's cache and with ours:
//
//	go run ./managerbench       # in hack; some minutes
//	go run ./managerbench -n 5000 -rounds 1
//	go run ./managerbench -secrets -n 100000 -rounds 1 # half an hour, and 10 GB of memory
//
// It starts an API server and creates objects. Each run is a process of its own. The figures are medians:
//
//   - sync: from the start of the manager until its cache has synced; CPU is that of the process, and peak
//     its highest resident memory.
//   - live: the heap after a collection.
//
// # Devices
//
// The manager has three reconcilers of Devices, one index and reads by two fields. Its cache is controller-runtime's,
// the same with our informers (NewInformer), or ctrlruntime.NewCache.
//
//   - live: when each reconciler has been called for each Device.
//   - overhead: the live heap of a manager without reconcilers, less the Devices, which a process of its own
//     holds in a slice. With NewCache it is negative, because Devices share parts.
//   - list 50: processor time of a List by a field into a DeviceList, and a loop over the typed lister that
//     allocates the items and copies the Devices.
//
// # Secrets
//
// With -secrets, the manager watches all Secrets of a kube-apiserver and reads a few, with controller-runtime's cache of
// whole Secrets, with its cache of metadata and reads from the server, and with ctrlread.HoldRead. Half of the Secrets
// have 20 KB of data and half 2 KB. Each tenth has the annotation last-applied-configuration.
//
//   - start: until the 100 Secrets that are read have been reconciled. CPU is that of the API server.
//   - unread: the live heap per Secret, less that of a manager without Secrets and less the data that were read.
//   - requests: for Secrets by name, per reconcile. First at the start, then in ten more reconciles of each Secret
//     while nothing changes, then in a rotation of 1,000 Secrets that have been read.
//   - found: how many Secrets that were not read have a value in the heap dump of the process, decoded or in base64.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/hack/internal/process"
	"github.com/indexer-gen/indexer-gen/hack/internal/table"
)

// workload is what managers do, and how they are compared.
type workload struct {
	objects  string // what they are called
	server   apiserver.Options
	variants []string
	object   func(i int) client.Object
	measure  func(context.Context, *process.Caller, job) (figures, error)
	columns  []column
	// derive adds figures that compare variants.
	derive func(medians map[string]figures, n float64)
	goals  []goal
}

// figures are the results of a run, by name.
type figures map[string]float64

type column struct {
	title, figure string
	unit          float64 // that the figure is divided by
	digits        int
}

// goal is the most that the ratio of two figures may be.
type goal struct {
	what             string
	most             float64
	variant, figure  string
	peer, peerFigure string
}

// job is what a run gets.
type job struct {
	Secrets  bool // which workload
	Variant  string
	Endpoint apiserver.Endpoint
	Objects  int
}

func workloadOf(isSecrets bool) workload {
	if isSecrets {
		return secrets()
	}
	return devices()
}

func main() {
	ctrl.SetLogger(logr.Discard())
	isSecrets := flag.Bool("secrets", false, "read a few of many Secrets")
	n := flag.Int("n", 50_000, "how many objects to create")
	rounds := flag.Int("rounds", 3, "how often each variant runs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	do := func() error { return bench(ctx, *isSecrets, *n, *rounds, os.Stdout, os.Stderr) }
	if process.IsRun() {
		do = func() error { return measure(ctx) }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "managerbench:", err)
		os.Exit(1)
	}
}

// measure is one run, in a process of its own.
func measure(ctx context.Context) error {
	var j job
	caller, err := process.Begin(&j)
	if err != nil {
		return err
	}
	f, err := workloadOf(j.Secrets).measure(ctx, caller, j)
	if err != nil {
		return err
	}
	return caller.End(f)
}

// bench runs all variants in turn.
func bench(ctx context.Context, isSecrets bool, n, rounds int, out, progress io.Writer) (err error) {
	w := workloadOf(isSecrets)
	w.server.Progress = progress
	server, err := apiserver.Start(ctx, w.server)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	fmt.Fprintf(progress, "creating %d %s\n", n, w.objects)
	if err := create(ctx, server.Endpoint, n, w.object); err != nil {
		return err
	}
	results := map[string][]figures{}
	for round := range rounds {
		for _, variant := range w.variants {
			f, err := run(ctx, job{isSecrets, variant, server.Endpoint, n})
			if err != nil {
				return fmt.Errorf("%s: %w", variant, err)
			}
			results[variant] = append(results[variant], f)
		}
		fmt.Fprintf(progress, "round %d of %d done\n", round+1, rounds)
	}
	fmt.Fprintf(out, "%d %s; %s, GOMAXPROCS=%d\n\n", n, w.objects, runtime.Version(), runtime.GOMAXPROCS(0))
	w.report(out, float64(n), results)
	return nil
}

// run measures a variant, and what the kube-apiserver spends until it waits.
func run(ctx context.Context, j job) (figures, error) {
	const serverName = "kube-apiserver"
	f, began := figures{}, process.CPUOf(serverName)
	var server time.Duration
	err := process.Run(process.Self(ctx), j, &f, func() (string, error) {
		server = process.CPUOf(serverName) - began
		return "", nil
	})
	f["server"] = server.Seconds()
	return f, err
}

func (w workload) report(out io.Writer, n float64, results map[string][]figures) {
	medians := map[string]figures{}
	for variant, all := range results {
		medians[variant] = figures{}
		for name := range all[0] {
			medians[variant][name] = table.Median(all, func(f figures) float64 { return f[name] })
		}
	}
	w.derive(medians, n)
	titles := []string{""}
	for _, c := range w.columns {
		titles = append(titles, c.title)
	}
	var rows [][]string
	for _, variant := range w.variants {
		row := []string{variant}
		for _, c := range w.columns {
			row = append(row, table.Number(medians[variant][c.figure]/c.unit, c.digits))
		}
		rows = append(rows, row)
	}
	table.Print(out, titles, rows)
	if goals := w.reached(medians); len(goals) > 0 {
		table.PrintGoals(out, goals)
	}
}

// reached returns how far each goal is reached.
func (w workload) reached(medians map[string]figures) (goals []table.Goal) {
	for _, g := range w.goals {
		ratio := medians[g.variant][g.figure] / medians[g.peer][g.peerFigure]
		goals = append(goals, table.Goal{What: g.what, Most: g.most, Ratio: ratio})
	}
	return goals
}
