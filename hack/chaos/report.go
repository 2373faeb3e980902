// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/hack/internal/table"
)

// report gathers what there is to say in the end.
type report struct {
	began time.Time
	out   io.Writer
	kinds []string

	printing sync.Mutex // one line at a time

	mu       sync.Mutex
	byFault  map[string]*faultReport
	problems int
	writes   int64
	first    usage
	last     usage
}

// faultReport has the results of one kind of fault.
type faultReport struct {
	count      int
	problems   int
	recoveries map[string][]time.Duration // by kind of source
	maxRate    float64
	maxRateOf  string // the kind of source
}

func newReport(out io.Writer, all []kind) *report {
	r := &report{began: time.Now(), out: out, byFault: make(map[string]*faultReport)}
	for _, k := range all {
		r.kinds = append(r.kinds, k.name)
	}
	return r
}

// say prints a line.
func (r *report) say(format string, args ...any) {
	r.printing.Lock()
	defer r.printing.Unlock()
	fmt.Fprintf(r.out, "[%6.1fs] %s\n", time.Since(r.began).Seconds(), fmt.Sprintf(format, args...))
}

// progress says how far the run is.
func (r *report) progress(done, of int, writes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writes = writes
	r.say("%d of %d faults, %d problems, %d writes", done, of, r.problems, writes)
}

// fault returns the results of a kind of fault. r.mu must be held.
func (r *report) fault(name string) *faultReport {
	if r.byFault[name] == nil {
		r.byFault[name] = &faultReport{recoveries: make(map[string][]time.Duration)}
	}
	return r.byFault[name]
}

func (r *report) suffered(fault string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault(fault).count++
}

func (r *report) recovered(fault, kind string, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.fault(fault)
	f.recoveries[kind] = append(f.recoveries[kind], took)
}

// problem reports a difference after a fault, or something else that is wrong.
func (r *report) problem(fault, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault(fault).problems++
	r.problems++
	r.say("PROBLEM after %s: %s", fault, fmt.Sprintf(format, args...))
}

func (r *report) rate(fault, kind string, perSecond float64) {
	r.mu.Lock()
	f := r.fault(fault)
	first := perSecond > maxRate && f.maxRate <= maxRate
	if perSecond > f.maxRate {
		f.maxRate, f.maxRateOf = perSecond, kind
	}
	r.mu.Unlock()
	if first {
		r.problem(fault, "%s makes %.0f requests a second", kind, perSecond)
	}
}

// print prints the tables.
func (r *report) print() {
	r.mu.Lock()
	defer r.mu.Unlock()
	total := 0
	var rows, byKind [][]string
	for _, name := range append(slices.Clone(clientFaults), serverFaults...) {
		f := r.fault(name)
		total += f.count
		median, slowest, of := f.summary()
		rows = append(rows, []string{
			name, fmt.Sprint(f.count), fmt.Sprint(f.problems), fmt.Sprintf("%.1f s", median.Seconds()),
			fmt.Sprintf("%.1f s", slowest.Seconds()), of, fmt.Sprintf("%.1f", f.maxRate), f.maxRateOf,
		})
		row := []string{name}
		for _, kind := range r.kinds {
			cell := "-"
			if all := f.recoveries[kind]; len(all) > 0 {
				cell = fmt.Sprintf("%.1f", slices.Max(all).Seconds())
			}
			row = append(row, cell)
		}
		byKind = append(byKind, row)
	}
	table.Print(r.out, []string{
		"fault", "count", "problems", "median recovery", "slowest recovery", "of", "requests/s, at most", "of",
	}, rows)
	fmt.Fprintln(r.out, "\nSlowest recovery in seconds, by fault and kind of source:")
	table.Print(r.out, append([]string{""}, r.kinds...), byKind)
	fmt.Fprintf(r.out, "\n%d faults, %d writes, %d informers, %d problems, %v\n",
		total, r.writes, len(r.kinds), r.problems, time.Since(r.began).Round(time.Second))
	fmt.Fprintf(r.out, "at rest, at first and in the end: %d and %d goroutines, %.1f and %.1f MB of heap\n",
		r.first.goroutines, r.last.goroutines, float64(r.first.heap)/1e6, float64(r.last.heap)/1e6)
}

// summary returns the median and the slowest recovery, and whose that was.
func (f *faultReport) summary() (median, slowest time.Duration, of string) {
	var all []time.Duration
	for kind, some := range f.recoveries {
		all = append(all, some...)
		if m := slices.Max(some); m > slowest {
			slowest, of = m, kind
		}
	}
	if len(all) == 0 {
		return 0, 0, "-"
	}
	slices.Sort(all)
	return all[len(all)/2], slowest, of
}
