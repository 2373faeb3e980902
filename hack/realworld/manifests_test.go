// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package realworld

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// manifests reads how types are served from the CRD manifests in directories of
// the module itself, which are given as globs.
func manifests(dirs ...string) reference {
	return func(t *testing.T, _ module, source string) map[resource]serving { return served(t, source, dirs) }
}

// manifestsOf reads them from another module, of the same version.
func manifestsOf(path string, dirs ...string) reference {
	return func(t *testing.T, m module, _ string) map[resource]serving {
		return served(t, downloaded(t, path, m.version), dirs)
	}
}

// served reads every version that CRD manifests name.
func served(t *testing.T, source string, globs []string) map[resource]serving {
	var files []string
	for _, glob := range globs {
		found, err := filepath.Glob(filepath.Join(source, glob, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 {
			t.Errorf("there are no manifests in %s", glob)
		}
		files = append(files, found...)
	}
	out := map[resource]serving{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for doc := range strings.SplitSeq(string(text), "\n---\n") {
			var crd struct {
				Kind string
				Spec struct {
					Group, Scope string
					Names        struct{ Kind, Plural string }
					Versions     []struct {
						Name   string
						Served bool
					}
				}
			}
			if err := yaml.Unmarshal([]byte(doc), &crd); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if crd.Kind != "CustomResourceDefinition" {
				continue
			}
			for _, v := range crd.Spec.Versions {
				out[resource{crd.Spec.Group, v.Name, crd.Spec.Names.Kind}] = serving{
					crd.Spec.Names.Plural + ", " + crd.Spec.Scope,
					v.Served,
				}
			}
		}
	}
	return out
}
