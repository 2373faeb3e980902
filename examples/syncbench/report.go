// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/syncbench/internal/probe"
)

// median returns the middle one of what of gives for all results; 0 for none.
func median(results []probe.Result, of func(probe.Result) float64) float64 {
	if len(results) == 0 {
		return 0
	}
	var values []float64
	for _, r := range results {
		values = append(values, of(r))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// mean returns the mean of what of gives for all results; 0 for none.
func mean(results []probe.Result, of func(probe.Result) float64) (mean float64) {
	for _, r := range results {
		mean += of(r) / float64(len(results))
	}
	return mean
}

// The columns of the table.
func syncWall(r probe.Result) float64   { return r.Sync.Wall.Seconds() }
func syncCPU(r probe.Result) float64    { return r.Sync.CPU.Seconds() }
func syncPeak(r probe.Result) float64   { return float64(r.Sync.Peak) }
func serverCPU(r probe.Result) float64  { return r.Server.Seconds() }
func live(r probe.Result) float64       { return float64(r.LiveHeap) }
func relistCPU(r probe.Result) float64  { return r.Relist.CPU.Seconds() }
func relistPeak(r probe.Result) float64 { return float64(max(r.Relist.Peak, r.Steady) - r.Steady) }
func watchWall(r probe.Result) float64  { return r.Watch.Wall.Seconds() }
func watchCPU(r probe.Result) float64   { return r.Watch.CPU.Seconds() }

// table prints the medians of all clients.
func (b *bench) table(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(
		w,
		"client\tsync s\tCPU s\tserver CPU s\tpeak MB\tlive B/obj\trelist CPU s\tpeak +MB\twatch s\tCPU s\t",
	)
	for _, c := range b.configs {
		f := b.results[c.name]
		if f == nil {
			continue
		}
		mb := func(results []probe.Result, of func(probe.Result) float64) string {
			return number(median(results, of)/1e6, 1)
		}
		fmt.Fprintln(w, strings.Join([]string{
			c.name,
			number(median(f.syncs, syncWall), 2), number(median(f.syncs, syncCPU), 2),
			number(mean(f.syncs, serverCPU), 2), mb(f.syncs, syncPeak),
			number(median(f.syncs, live)/float64(b.flags.objects), 0),
			number(median(f.relists, relistCPU), 2), mb(f.relists, relistPeak),
			number(median(f.watches, watchWall), 2), number(median(f.watches, watchCPU), 2), "",
		}, "\t"))
	}
	_ = w.Flush()
}

// number formats a figure, or returns "" if it was not measured.
func number(n float64, digits int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.*f", digits, n)
}

// ratios prints how far each goal is reached.
func (b *bench) ratios(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nours\tagainst\tof\tgoal\tratio\t")
	for _, g := range b.workload.goals {
		ours, peer := b.results[g.ours], b.results[g.peer]
		if ours == nil || peer == nil || len(g.results(ours)) == 0 || len(g.results(peer)) == 0 {
			continue
		}
		of := median
		if g.mean {
			of = mean
		}
		ratio := of(g.results(ours), g.of) / of(g.results(peer), g.of)
		reached := ""
		if ratio > g.most {
			reached = "not reached"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.2f\t%.2f\t%s\n", g.ours, g.peer, g.what, g.most, ratio, reached)
	}
	_ = w.Flush()
	if b.flags.objects != goalObjects {
		fmt.Fprintf(
			out,
			"\nThe goals are for %d objects; with fewer, what a process takes in any case weighs more.\n",
			goalObjects,
		)
	}
	fmt.Fprintln(out, "\nmeasured", time.Now().UTC().Format(time.DateOnly))
}
