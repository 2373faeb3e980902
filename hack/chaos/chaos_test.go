// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"reflect"
	"slices"
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
