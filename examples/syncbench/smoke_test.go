// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

// TestSmoke runs all of it on a few objects. Its figures mean nothing; that they
// are there does.
func TestSmoke(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a server and a score of clients")
	}
	var out strings.Builder
	err := run(
		t.Context(),
		flags{objects: 300, rounds: 1, relists: 1, replays: 1, events: 1000, recorded: 100},
		&out,
		t.Output(),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range widgetConfigs() {
		if !strings.Contains(out.String(), "\n"+c.name+" ") {
			t.Errorf("no row for %s", c.name)
		}
	}
	for _, g := range widgetGoals() {
		if !strings.Contains(out.String(), g.what) {
			t.Errorf("no ratio for %s", g.what)
		}
	}
	t.Log(out.String())
}

func TestChooseNamesTheClients(t *testing.T) {
	chosen, err := choose(podConfigs(), "indexer-gen*")
	if len(chosen) != 6 || err != nil {
		t.Errorf("%d clients are chosen, %v", len(chosen), err)
	}
	if _, err := choose(podConfigs(), "none"); err == nil || !strings.Contains(err.Error(), oursList) {
		t.Errorf("the error of a glob that matches nothing is %v", err)
	}
}
