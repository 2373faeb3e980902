// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/hack/internal/process"
)

// TestMain is the program itself for the runs that TestSmoke starts.
func TestMain(m *testing.M) {
	if process.IsRun() {
		if err := measure(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestSmoke runs each workload on a few objects. Its figures mean nothing, but their presence does.
func TestSmoke(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a server and eight programs")
	}
	t.Run("Devices", func(t *testing.T) { testSmoke(t, false, 3*perSite) })
	t.Run("Secrets", func(t *testing.T) {
		if os.Getenv("KUBEBUILDER_ASSETS") == "" {
			t.Skip("this test needs kube-apiserver: run hack/test-kubernetes.sh, or set KUBEBUILDER_ASSETS")
		}
		testSmoke(t, true, 2*readCount)
	})
}

func testSmoke(t *testing.T, isSecrets bool, n int) {
	var out strings.Builder
	if err := bench(t.Context(), isSecrets, n, 1, &out, t.Output()); err != nil {
		t.Fatal(err)
	}
	w := workloadOf(isSecrets)
	for _, variant := range w.variants {
		if !strings.Contains(out.String(), "\n"+variant+" ") {
			t.Errorf("no row for %s", variant)
		}
	}
	for _, g := range w.goals {
		if !strings.Contains(out.String(), "\n"+g.what+" ") {
			t.Errorf("no ratio for %s", g.what)
		}
	}
	t.Log(out.String())
}
