// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The harness works: every row runs, on few objects and for a moment.
func TestEveryRowRuns(t *testing.T) {
	var out strings.Builder
	b := bench{clock: clock{1, time.Microsecond}, match: regexp.MustCompile(""), out: &out, progress: t.Output()}
	b.all(1000)
	for _, r := range b.results {
		if !(r.Ours > 0 && r.Theirs > 0 && r.Ratio > 0) {
			t.Errorf("%s: ours %v, client-go %v, ratio %v", r.Name, r.Ours, r.Theirs, r.Ratio)
		}
	}
	if lines := strings.Count(out.String(), "\n"); lines != len(b.results)+2 {
		t.Errorf("%d lines for %d results", lines, len(b.results))
	}
	dir := t.TempDir()
	if err := b.save(filepath.Join(dir, "results.svg")); err != nil {
		t.Fatal(err)
	}
}

// What cannot be measured is refused before anything is.
func TestWhatCannotBeMeasured(t *testing.T) {
	for _, args := range []string{"-n 0", "-n -1", "-rounds 0", "-round 0s", "-run (", "rows"} {
		var out strings.Builder
		if err := run(strings.Fields(args), &out, t.Output()); err == nil || out.Len() > 0 {
			t.Errorf("%s: %v, after %q", args, err, out.String())
		}
	}
}
