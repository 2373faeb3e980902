// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestMain is the program itself for the runs that TestSmoke starts.
func TestMain(m *testing.M) {
	if variant := os.Getenv(variantVariable); variant != "" {
		if err := measure(context.Background(), variant, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestSmoke runs all of it on a few Secrets.
func TestSmoke(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("this test needs kube-apiserver: run hack/test-kubernetes.sh, or set KUBEBUILDER_ASSETS")
	}
	var out strings.Builder
	if err := bench(t.Context(), 2*readCount, &out, t.Output()); err != nil {
		t.Fatal(err)
	}
	for _, variant := range variants {
		if !strings.Contains(out.String(), variant+" ") {
			t.Errorf("no row for %s", variant)
		}
	}
	t.Log(out.String())
}
