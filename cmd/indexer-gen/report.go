// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/indexer-gen/indexer-gen/generator"
)

// printErrors prints diagnostics as compilers do, and other errors after the name of the command.
func printErrors(w io.Writer, err error) {
	for _, d := range errorAsDiagnostics(err) {
		if d.Pos.Filename == "" {
			d.Message = "indexer-gen: " + d.Message
		}
		fmt.Fprintln(w, d)
	}
}

func errorAsDiagnostics(err error) generator.Diagnostics {
	var list generator.Diagnostics
	if errors.As(err, &list) {
		return list
	}
	return generator.Diagnostics{{Message: err.Error()}}
}

// printDiffsAndRemovals prints the diffs of stale files, and the removed files.
func printDiffsAndRemovals(w io.Writer, result *generator.Result, cfg generator.Config) {
	for _, f := range result.Stale() {
		switch {
		case cfg.Check:
			fmt.Fprint(w, f.Diff)
		case f.Removed:
			fmt.Fprintf(w, "indexer-gen: removed %s: no type of its package is emitted any more\n", f.Name)
		}
	}
}

// printSummaryAndMissing prints a summary line and the requirements that go.sum lacks. It returns the
// exit code.
func printSummaryAndMissing(w io.Writer, result *generator.Result, cfg generator.Config, took time.Duration) int {
	all, stale, types, indexes := 0, 0, 0, 0
	name := ""
	counted := map[string]bool{} // the files of several targets are for the same types
	for _, f := range result.Files {
		if !counted[f.API] {
			types, indexes = types+f.Types, indexes+f.Indexes
		}
		counted[f.API] = true
		if !f.Removed {
			all, name = all+1, f.Name
		}
		if f.Changed && !f.Removed {
			stale++
		}
	}
	if n := len(result.Stale()); cfg.Check && n > 0 {
		fmt.Fprintf(w, "indexer-gen: stale: %s; run the same command without -check\n", countText(n, "file", "files"))
		return exitFailed
	}
	if all == 0 {
		fmt.Fprintf(w,
			"indexer-gen: removed %s, and no type is left to emit (%s)\n",
			countText(len(result.Files), "file", "files"), took.Round(10*time.Millisecond))
		return exitOK
	}
	what := fmt.Sprintf("wrote %d of %s", stale, countText(all, "file", "files"))
	switch {
	case stale == 0:
		what = countText(all, "file", "files") + " up to date"
		if all == 1 {
			what = name + " is up to date"
		}
	case all == 1:
		what = "wrote " + name
	case stale == all:
		what = "wrote " + countText(all, "file", "files")
	}
	fmt.Fprintf(w, "indexer-gen: %s: %s (%s)\n", what, typeAndIndexCountText(types, indexes),
		took.Round(10*time.Millisecond))
	for _, missing := range result.Missing {
		fmt.Fprintln(w, "indexer-gen:", missing)
	}
	return exitOK
}

func typeAndIndexCountText(types, indexes int) string {
	return countText(types, "type", "types") + ", " + countText(indexes, "index", "indexes")
}

func countText(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}
