// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKubernetesVersion(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join("kube", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "k8s.io/kubernetes " + kubernetesVersion + " "; !strings.Contains(string(mod), want) {
		t.Errorf("kube/go.mod does not require %q", want)
	}
}

func TestAssetsWithoutServer(t *testing.T) {
	t.Setenv(assetsVariable, t.TempDir())
	_, err := Start(t.Context(), Options{Kubernetes: true})
	if err == nil || !strings.Contains(err.Error(), "unset it") {
		t.Errorf("starting kube-apiserver from an empty directory: %v", err)
	}
}
