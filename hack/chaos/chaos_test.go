// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestChaos inflicts some faults of every kind.
func TestChaos(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // the server may have to be built
	defer cancel()
	cfg := config{faults: 40, seed: 1, out: t.Output()}
	if err := run(ctx, cfg); err != nil {
		t.Error(err)
	}
}

// TestOutages makes one outage of each kind. On a busy machine its times mean nothing.
func TestOutages(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for seconds")
	}
	var out strings.Builder
	cfg := config{outages: 1, away: time.Second, verbose: true, out: io.MultiWriter(&out, t.Output())}
	if err := runOutages(t.Context(), cfg); err != nil && !errors.Is(err, errGoal) {
		t.Fatal(err)
	}
	for _, name := range []string{"restart", "down", "cut off"} {
		if strings.Count(out.String(), "\n"+name+" ") != 3 {
			t.Errorf("not three rows for %s", name)
		}
	}
}

func TestGoalsOfOutages(t *testing.T) {
	const second = time.Second
	for name, test := range map[string]struct {
		theirs, ours []time.Duration
		missed       bool
	}{
		"holds":                   {[]time.Duration{second, 2 * second}, []time.Duration{1, 1, 2}, false},
		"median":                  {[]time.Duration{second, 2 * second}, []time.Duration{1, 3 * second, 3 * second}, true},
		"one is late":             {[]time.Duration{second, 2 * second}, []time.Duration{1, 1, 4 * second}, true},
		"theirs is as late":       {[]time.Duration{second, 4 * second}, []time.Duration{1, 1, 6 * second}, false},
		"two seconds are allowed": {[]time.Duration{second, second}, []time.Duration{1, 1, 2 * second}, false},
	} {
		recoveries := map[string][]time.Duration{peer: test.theirs, "wire": test.ours}
		if row, missed := compareRecoveries(outage{hasGoals: true}, "wire", recoveries); missed != test.missed {
			t.Errorf("%s: %v, %q", name, missed, row)
		}
		if _, missed := compareRecoveries(outage{}, "wire", recoveries); missed {
			t.Errorf("%s: missed without goals", name)
		}
	}
}

// TestSchedule checks that a seed determines the faults, and that a short run has
// all kinds of them.
func TestSchedule(t *testing.T) {
	first, second := newSchedule(1), newSchedule(1)
	seen := make(map[string]bool)
	for done := 0; done < 40; {
		a, b := first.next(12, 40-done), second.next(12, 40-done)
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("one seed gives %v and %v", a, b)
		}
		for _, f := range a.faults {
			seen[f] = true
			done++
		}
	}
	for _, f := range slices.Concat(clientFaults, serverFaults) {
		if !seen[f] {
			t.Errorf("40 faults have no %s", f)
		}
	}
}
