// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRefusedOptions checks that mistakes are found before the server is built.
func TestRefusedOptions(t *testing.T) {
	dir := t.TempDir()
	kustomization := filepath.Join(dir, "kustomization.yaml")
	if err := os.WriteFile(kustomization, []byte("resources: [a.yaml]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(dir, "below")
	if err := os.MkdirAll(filepath.Join(below, "bases"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		options Options
		want    []string
	}{
		"a port":             {Options{Flags: []string{"--v=2", "--secure-port=6443"}}, []string{"--secure-port=6443", "Endpoint"}},
		"etcd":               {Options{Kubernetes: true, Flags: []string{"-etcd-servers", "x"}}, []string{"-etcd-servers"}},
		"a nameless user":    {Options{Users: []User{{}}}, []string{"without a name"}},
		"equal users":        {Options{Users: []User{{Name: "a"}, {Name: "b"}, {Name: "a"}}}, []string{"two users named a"}},
		"no definition":      {Options{CRDs: []string{kustomization}}, []string{kustomization, "not a CustomResourceDefinition"}},
		"only directories":   {Options{CRDs: []string{below}}, []string{below, "not searched"}},
		"no such directory":  {Options{CRDs: []string{"nowhere"}}, []string{"/apiserver/nowhere"}},
		"a flag and a user ": {Options{Flags: []string{"--cert-dir=x"}, Users: []User{{}}}, []string{"--cert-dir", "without a name"}},
	} {
		test.options.Binary = "not reached"
		server, err := Start(t.Context(), test.options)
		if err == nil {
			t.Errorf("%s: it started", name)
			server.Close()
			continue
		}
		for _, part := range test.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error %q lacks %q", name, err, part)
			}
		}
		if strings.Contains(err.Error(), "not reached") {
			t.Errorf("%s: the server was to be started: %v", name, err)
		}
	}
}
