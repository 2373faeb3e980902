// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/indexer-gen/indexer-gen/generator"
)

// report prints diagnostics as compilers do, and other errors with our name.
func report(w io.Writer, err error) {
	for _, d := range diagnostics(err) {
		if d.Pos.Filename == "" {
			d.Message = "indexer-gen: " + d.Message
		}
		fmt.Fprintln(w, d)
	}
}

// reportJSON prints one object a line for each diagnostic. An error that has no
// place in a file has no file.
func reportJSON(w io.Writer, err error) {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, d := range diagnostics(err) {
		_ = out.Encode(struct {
			File    string `json:"file,omitempty"`
			Line    int    `json:"line,omitempty"`
			Column  int    `json:"column,omitempty"`
			Message string `json:"message"`
		}{d.Pos.Filename, d.Pos.Line, d.Pos.Column, d.Message})
	}
}

func diagnostics(err error) generator.Diagnostics {
	var list generator.Diagnostics
	if errors.As(err, &list) {
		return list
	}
	return generator.Diagnostics{{Message: err.Error()}}
}

// summarize prints the diffs of stale files, or a line for each that was written,
// or would be, and, if there are several, one for all.
func summarize(result *generator.Result, cfg generator.Config, stdout, stderr io.Writer) int {
	stale := result.Stale()
	if cfg.Check {
		for _, f := range stale {
			fmt.Fprint(stdout, f.Diff)
		}
		if len(stale) > 0 {
			fmt.Fprintf(stderr, "indexer-gen: stale: %s; run indexer-gen again\n", count(len(stale), "file", "files"))
			return failed
		}
		return ok
	}
	wrote, removed := "wrote", "removed"
	if cfg.DryRun {
		wrote, removed = "would write", "would remove"
	}
	types, indexes := 0, 0
	for _, f := range stale {
		if f.Removed {
			fmt.Fprintf(stdout, "indexer-gen: %s %s: no type of its package is emitted any more\n", removed, f.Name)
			continue
		}
		types, indexes = types+f.Types, indexes+f.Indexes
		fmt.Fprintf(stdout, "indexer-gen: %s %s: %s\n", wrote, f.Name, counts(f.Types, f.Indexes))
	}
	if len(stale) > 1 {
		fmt.Fprintf(stdout, "indexer-gen: %s: %s\n", count(len(stale), "file", "files"), counts(types, indexes))
	}
	return ok
}

func counts(types, indexes int) string {
	return count(types, "type", "types") + ", " + count(indexes, "index", "indexes")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}
