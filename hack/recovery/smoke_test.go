// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestSmoke runs one round of each fault. On a busy machine its times mean nothing.
func TestSmoke(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a server")
	}
	var out strings.Builder
	if err := run(t.Context(), 1, time.Second, true, &out, t.Output()); err != nil &&
		!errors.Is(err, errGoal) {
		t.Fatal(err)
	}
	for _, row := range append(kinds, "restart", "1s down", "1s cut off") {
		if !strings.Contains(out.String(), row) {
			t.Errorf("no row for %s", row)
		}
	}
	t.Log(out.String())
}

func TestGoals(t *testing.T) {
	for _, test := range []struct{ theirs, limit time.Duration }{
		{time.Second, 2 * time.Second},
		{4 * time.Second, 6 * time.Second},
	} {
		if got := limit(test.theirs); got != test.limit {
			t.Errorf("beside %v, a round may take %v, want %v", test.theirs, got, test.limit)
		}
	}
	for name, test := range map[string]struct {
		ours []time.Duration
		held bool
	}{
		"holds":       {[]time.Duration{1, 1, 2}, true},
		"median":      {[]time.Duration{1, 3 * time.Second, 3 * time.Second}, false},
		"one is late": {[]time.Duration{1, 1, 4 * time.Second}, false},
	} {
		var out strings.Builder
		measured := map[string][]time.Duration{
			oursByWire:   test.ours,
			oursByClient: {1},
			theirs:       {time.Second, 2 * time.Second, 2 * time.Second},
		}
		if held := report(&out, fault{name: "restart", goals: true}, measured); held != test.held ||
			held == strings.Contains(out.String(), "MISSED") {
			t.Errorf("%s: the goals hold: %v\n%s", name, held, out.String())
		}
	}
}
