// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

func TestKubernetesVersion(t *testing.T) {
	mod, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", "kube/go.mod").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, mod)
	}
	var parsed struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(mod, &parsed); err != nil {
		t.Fatal(err)
	}
	for _, r := range parsed.Require {
		if r.Path == "k8s.io/kubernetes" && r.Version != kubernetesVersion {
			t.Errorf("kube/go.mod requires %s, and the commands are linked as %s", r.Version, kubernetesVersion)
		}
	}
}

func TestAssetsWithoutServer(t *testing.T) {
	t.Setenv(assetsVariable, t.TempDir())
	_, err := Start(t.Context(), Options{Kubernetes: true})
	if err == nil || !strings.Contains(err.Error(), "unset it") {
		t.Errorf("starting kube-apiserver from an empty directory: %v", err)
	}
}
