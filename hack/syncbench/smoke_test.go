// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strings"
	"testing"
)

// TestSmoke runs each workload on a few objects. Its figures mean nothing, but their presence does.
func TestSmoke(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a server and a score of clients")
	}
	t.Run("widgets", func(t *testing.T) { testSmoke(t, flags{}, widgets()) })
	t.Run("factory", func(t *testing.T) {
		if os.Getenv("KUBEBUILDER_ASSETS") == "" {
			t.Skip("this test needs kube-apiserver: run hack/test-kubernetes.sh, or set KUBEBUILDER_ASSETS")
		}
		testSmoke(t, flags{factory: true}, factories())
	})
}

func testSmoke(t *testing.T, f flags, w workload) {
	f.objects, f.rounds, f.relists, f.replays, f.events, f.recorded = 300, 1, 1, 1, 1000, 100
	var out strings.Builder
	if err := run(t.Context(), f, &out, t.Output()); err != nil {
		t.Fatal(err)
	}
	for _, c := range w.configs {
		if !strings.Contains(out.String(), "\n"+c.name+" ") {
			t.Errorf("no row for %s", c.name)
		}
	}
	for _, g := range w.goals {
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
