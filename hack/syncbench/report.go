// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"time"

	"github.com/indexer-gen/indexer-gen/hack/internal/table"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
)

// mean returns the mean of what of gives for all results; 0 for none.
func mean(results []probe.Result, of func(probe.Result) float64) (mean float64) {
	for _, r := range results {
		mean += of(r) / float64(len(results))
	}
	return mean
}

func syncWall(r probe.Result) float64   { return r.Sync.Wall.Seconds() }
func syncCPU(r probe.Result) float64    { return r.Sync.CPU.Seconds() }
func syncPeak(r probe.Result) float64   { return float64(r.Sync.Peak) }
func serverCPU(r probe.Result) float64  { return r.Server.Seconds() }
func live(r probe.Result) float64       { return float64(r.LiveHeap) }
func relistCPU(r probe.Result) float64  { return r.Relist.CPU.Seconds() }
func relistPeak(r probe.Result) float64 { return float64(max(r.Relist.Peak, r.Steady) - r.Steady) }
func watchWall(r probe.Result) float64  { return r.Watch.Wall.Seconds() }
func watchCPU(r probe.Result) float64   { return r.Watch.CPU.Seconds() }

func figureOf(name string) func(probe.Result) float64 {
	return func(r probe.Result) float64 { return r.Figures[name] }
}

// column is a column of the table: the median of a figure.
type column struct {
	title     string
	results   func(*figures) []probe.Result
	of        func(probe.Result) float64
	unit      float64 // that the figure is divided by
	digits    int
	perObject bool
	mean      bool // of the results, instead of the median
}

func columns() []column {
	return []column{
		{title: "sync s", results: syncs, of: syncWall, unit: 1, digits: 2},
		{title: "CPU s", results: syncs, of: syncCPU, unit: 1, digits: 2},
		{title: "server CPU s", results: syncs, of: serverCPU, unit: 1, digits: 2, mean: true},
		{title: "peak MB", results: syncs, of: syncPeak, unit: 1e6, digits: 1},
		{title: "live B/obj", results: syncs, of: live, unit: 1, perObject: true},
		{title: "relist CPU s", results: relists, of: relistCPU, unit: 1, digits: 2},
		{title: "peak +MB", results: relists, of: relistPeak, unit: 1e6, digits: 1},
		{title: "watch s", results: watches, of: watchWall, unit: 1, digits: 2},
		{title: "CPU s", results: watches, of: watchCPU, unit: 1, digits: 2},
	}
}

func factoryColumns() []column {
	all := columns()[:5]
	add := func(title, name string, digits int) {
		all = append(all, column{title: title, results: syncs, of: figureOf(name), unit: 1, digits: digits})
	}
	add("watches", "watches", 0)
	add("overhead B/obj", "overhead", 0)
	for _, timed := range []struct{ title, name string }{
		{"list µs/obj", "initial"}, {"update µs", "update"}, {"alone µs", "alone"}, {"Get µs", "get"}, {"ByIndex µs", "byIndex"},
		{"question µs", "question"},
	} {
		add(timed.title, timed.name, 2)
		add("allocs", timed.name+"Allocs", 1)
	}
	return all
}

// print prints the figures of all clients.
func (b *bench) print(out io.Writer) {
	titles := []string{"client"}
	for _, c := range b.columns {
		titles = append(titles, c.title)
	}
	var rows [][]string
	for _, client := range b.configs {
		f := b.results[client.name]
		if f == nil {
			continue
		}
		row := []string{client.name}
		for _, c := range b.columns {
			unit := c.unit
			if c.perObject {
				unit *= float64(b.flags.objects)
			}
			row = append(row, table.Number(average(c.mean)(c.results(f), c.of)/unit, c.digits))
		}
		rows = append(rows, row)
	}
	table.Print(out, titles, rows)
}

// average returns the function that combines the results of all rounds.
func average(isMean bool) func([]probe.Result, func(probe.Result) float64) float64 {
	if isMean {
		return mean
	}
	return table.Median
}

// ratios prints how far each goal is reached.
func (b *bench) ratios(out io.Writer) {
	var goals []table.Goal
	for _, g := range b.workload.goals {
		ours, peer := b.results[g.ours], b.results[g.peer]
		if ours == nil || peer == nil || len(g.results(ours)) == 0 || len(g.results(peer)) == 0 {
			continue
		}
		of := average(g.mean)
		goals = append(goals, table.Goal{
			What: g.what + ": " + g.ours + " against " + g.peer, Most: g.most,
			Ratio: of(g.results(ours), g.of) / of(g.results(peer), g.of),
		})
	}
	table.PrintGoals(out, goals)
	if b.flags.objects != goalObjects {
		fmt.Fprintf(out, "\nThe goals are for %d objects; with fewer, what a process takes in any case weighs more.\n", goalObjects)
	}
	fmt.Fprintln(out, "\nmeasured", time.Now().UTC().Format(time.DateOnly))
}
