// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// TestKubeconfig goes the whole way: a file, TLS, a token, a real server.
func TestKubeconfig(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, server.Kubeconfig(), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, set := range map[string]func(*testing.T) string{
		"named":              func(*testing.T) string { return path },
		"in the environment": func(t *testing.T) string { t.Setenv("KUBECONFIG", path); return "" },
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := kubeconn.Load(set(t))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Client.CloseIdleConnections()
			devices := wire.Source[*fleet.Device](conn, fleet.DevicesResource, wire.InNamespace(fresh("kubeconfig")))
			if _, err := devices.List(t.Context(), metav1.ListOptions{}, func(source.Delta[*fleet.Device], error) error { return nil }); err != nil {
				t.Error(err)
			}
		})
	}
}
