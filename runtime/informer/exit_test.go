// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// TestGoexitInAnIndexFunction: an index function that ends its goroutine ends the program,
// rather than an informer that goes on without its store.
func TestGoexitInAnIndexFunction(t *testing.T) {
	const child = "INDEXER_GEN_TEST_GOEXIT"
	if os.Getenv(child) != "" {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		inf := newInformer(srv)
		_ = store.AddIndex(inf.Store(), "exits", func([]string, *object) []string {
			runtime.Goexit()
			return nil
		})
		_ = inf.Run(t.Context())
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestGoexitInAnIndexFunction$", "-test.timeout=1m")
	cmd.Env = append(os.Environ(), child+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "has called runtime.Goexit") {
		t.Errorf("the program ended with %v:\n%s", err, out)
	}
}
