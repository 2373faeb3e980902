// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures what the flags ask for.
func run(args []string, out, progress io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	n := flags.Int("n", 100_000, "how many objects")
	only := flags.String("run", "", "measure only rows whose name matches this regular expression")
	rounds := flags.Int("rounds", 5, "how often each side of a row is timed")
	round := flags.Duration("round", 100*time.Millisecond, "how long each time")
	svgFile := flags.String("svg", "", "also write the ratios to this file as a plot")
	if err := flags.Parse(args); err != nil {
		return err
	}
	match, err := regexp.Compile(*only)
	switch {
	case err != nil:
		return err
	case *n < 1 || *rounds < 1 || *round <= 0:
		return errors.New("-n, -rounds and -round must be positive")
	case flags.NArg() > 0:
		return fmt.Errorf("%q is no flag", flags.Arg(0))
	}
	b := bench{clock: clock{*rounds, *round}, match: match, out: out, progress: progress}
	b.all(*n)
	return b.save(*svgFile)
}

// bench is one run.
type bench struct {
	clock
	match         *regexp.Regexp
	out, progress io.Writer
	results       []result
}

func (b *bench) add(r result) {
	b.results = append(b.results, r)
	fmt.Fprintln(b.progress, r.Name, "done")
}

func (b *bench) rows(w *world, rows []row) {
	for _, r := range rows {
		if b.match.MatchString(r.name) {
			b.add(b.measure(w, r))
		}
	}
}

// all measures everything for n objects, one store of ours after the other, so that only the measured one is in memory.
func (b *bench) all(n int) {
	fmt.Fprintf(b.out, "%d Pods\n", n)
	w, t := newWorld(n), newTheirs()
	base := w.overhead(t)
	b.indexed(w, t, base)
	b.labeled(w, t)
	b.pipelines(w)
	b.print()
}

// indexed measures the store with the same four indexes as client-go's.
func (b *bench) indexed(w *world, t *theirs, base float64) {
	o := newOurs()
	b.memory(w, "overhead per object, 4 indexes", 4, o, base)
	b.rows(w, readRows(w, o, t))
	b.rows(w, writeRows(w, o, t))
	b.rows(w, moveRows(w, o, t))
	if b.match.MatchString(moveTwoRow) {
		b.rows(w, moveTwoRows(w))
	}
	b.rows(w, contentionRows(w, o, t))
}

// labeled measures the store with an index of all labels in place of that of the app label.
func (b *bench) labeled(w *world, t *theirs) {
	o := newOursWithLabels()
	w.fill(o)
	b.rows(w, selectorRows(w, o, t))
}

func (b *bench) memory(w *world, name string, target float64, o *ours, base float64) {
	bytes := w.overhead(o)
	if b.match.MatchString(name) {
		b.add(result{
			Name: name, Objects: w.n, Unit: "B", Ours: bytes, Theirs: base, Ratio: base / bytes,
			Target: target, OursAllocs: -1, TheirsAllocs: -1, OursBytes: -1, TheirsBytes: -1,
		})
	}
}

// save writes the plot.
func (b *bench) save(svgFile string) error {
	if svgFile == "" {
		return nil
	}
	f, err := os.Create(svgFile)
	if err != nil {
		return err
	}
	return errors.Join(writeSVG(f, b.results), f.Close())
}
