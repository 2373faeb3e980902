// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestIsLight checks the reason why the server is a program of its own:
// that a test that uses this package need not compile the server.
func TestIsLight(t *testing.T) {
	output, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for dep := range strings.Lines(string(output)) {
		for _, heavy := range []string{"k8s.io/apiserver/", "k8s.io/apiextensions-apiserver/", "k8s.io/client-go/", "go.etcd.io/", "google.golang.org/grpc"} {
			if strings.HasPrefix(dep, heavy) {
				t.Errorf("imports %s", strings.TrimSpace(dep))
			}
		}
	}
}
