// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fluxcd

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// release is the version of Flux's kustomize-controller.
const release = "github.com/fluxcd/kustomize-controller@v1.9.6"

// fetch downloads kustomize-controller and returns the path of its source.
func fetch(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", release)
	cmd.Dir = t.TempDir() // outside any module, so that nothing requires it
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if bad := json.Unmarshal(out, &module); err != nil || bad != nil || module.Dir == "" {
		t.Fatalf("fetching %s: %v, %s", release, err, out)
	}
	return module.Dir
}

// functionsOf returns files of this package with what Flux has instead of it: the files of its map functions
// and its predicate as they are, and one that sets theirs. Two index functions are part of its
// SetupWithManager, which itself needs more of Flux.
func functionsOf(t *testing.T, source string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	dir := filepath.Join(source, "internal", "controller")
	for _, name := range []string{"kustomization_indexers.go", "source_predicate.go"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		name = strings.TrimSuffix(name, ".go") + "_test.go"
		files[name] = bytes.Replace(text, []byte("\npackage controller\n"), []byte("\npackage fluxcd\n"), 1)
	}
	setup := filepath.Join(dir, "kustomization_manager.go")
	file, err := parser.ParseFile(token.NewFileSet(), setup, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	indexes := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 4 {
			return true
		}
		name, ok := call.Args[2].(*ast.Ident)
		if f, isFunc := call.Args[3].(*ast.FuncLit); ok && isFunc {
			var text bytes.Buffer
			if err := format.Node(&text, token.NewFileSet(), f); err != nil {
				t.Fatal(err)
			}
			indexes[name.Name] = text.String()
		}
		return true
	})
	files["theirs_test.go"] = []byte(`package fluxcd

import (
	"fmt"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

type KustomizationReconciler struct{ client.Client }

func init() {
	var r KustomizationReconciler
	theirs = &functions{
		indexes: map[string]client.IndexerFunc{
			"GitRepository":    r.indexBy("GitRepository"),
			"OCIRepository":    r.indexBy("OCIRepository"),
			"Bucket":           r.indexBy("Bucket"),
			"ExternalArtifact": r.indexBy("ExternalArtifact"),
			"ConfigMap":        ` + indexes["indexConfigMap"] + `,
			"Secret":           ` + indexes["indexSecret"] + `,
		},
		ofSource:  func(c client.Client, kind string) handler.MapFunc {
			return (&KustomizationReconciler{c}).requestsForRevisionChangeOf(kind)
		},
		ofConfig:  func(c client.Client, kind string) handler.MapFunc {
			return (&KustomizationReconciler{c}).requestsForConfigDependency(kind)
		},
		revisions: SourceRevisionChangePredicate{},
	}
}
`)
	return files
}

// TestFlux fetches Flux's functions, and runs the tests that compare with them in this package.
func TestFlux(t *testing.T) {
	if testing.Short() {
		t.Skip("it fetches kustomize-controller")
	}
	if theirs != nil {
		t.Skip("the functions are here")
	}
	dir := t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	added := map[string]string{}
	for name, text := range functionsOf(t, fetch(t)) {
		file := filepath.Join(dir, name)
		added[filepath.Join(here, name)] = file
		err = errors.Join(err, os.WriteFile(file, text, 0o666))
	}
	text, bad := json.Marshal(map[string]any{"Replace": added})
	overlay := filepath.Join(dir, "overlay.json")
	if err := errors.Join(err, bad, os.WriteFile(overlay, text, 0o666)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-count=1", "-v", "-overlay="+overlay, "-run=^TestAgrees", ".")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
