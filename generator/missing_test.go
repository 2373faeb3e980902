// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// fakeRuntime adds the packages of the runtime that emitted code of Widget imports. They are empty, but one
// imports a module example.com/deep.
func fakeRuntime(files map[string]string) {
	const dir = "runtime"
	files["deep/go.mod"] = "module example.com/deep\n\ngo 1.24.0\n"
	files["deep/deep.go"] = "package deep\n"
	files[dir+"/go.mod"] = "module github.com/indexer-gen/indexer-gen/runtime\n\ngo 1.24.0\n\nrequire example.com/deep v0.0.0\n"
	files[dir+"/version.go"] = "package runtime\n\nimport _ \"example.com/deep\"\n"
	for _, name := range []string{
		"informer", "lister", "source", "store", "written",
	} {
		files[dir+"/"+name+"/doc.go"] = "package " + name + "\n"
	}
}

const (
	needsMeta    = "require k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => ../meta\n\n"
	needsRuntime = "require (\n\tgithub.com/indexer-gen/indexer-gen/runtime v0.0.0\n\texample.com/deep v0.0.0 // indirect\n)\n\n" +
		"replace (\n\tgithub.com/indexer-gen/indexer-gen/runtime => ../runtime\n\texample.com/deep => ../deep\n)\n"
)

// TestMissing checks that a run names what a module lacks to build the emitted code, with the remedy.
func TestMissing(t *testing.T) {
	files := map[string]string{
		"api/go.mod":      "module example.com/api\n\ngo 1.24.0\n\n" + needsMeta + needsRuntime,
		"api/v1/types.go": widgetWithList,
	}
	fakeRuntime(files)
	for _, name := range []string{"api/meta", "fields", "runtime", "runtime/schema", "types"} {
		files["meta/pkg/"+name+"/doc.go"] = "package " + filepath.Base(name) + "\n"
	}
	for _, name := range []string{"go.mod", "v1/types.go"} {
		files["vendored/"+name] = files["api/"+name]
		files["pruned/"+name] = files["api/"+name]
	}
	files["pruned/go.mod"] = strings.Replace(files["api/go.mod"], "\texample.com/deep v0.0.0 // indirect\n", "", 1)
	files["vendored/v1/runtime.go"] = "package api\n\nimport _ \"github.com/indexer-gen/indexer-gen/runtime\"\n"
	dir := module(t, files)
	vendor := exec.CommandContext(t.Context(), "go", "mod", "vendor")
	vendor.Dir = filepath.Join(dir, "vendored")
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	if out, err := vendor.CombinedOutput(); err != nil {
		t.Fatalf("go mod vendor: %s", out)
	}
	const elsewhere = "; every module that imports the package will require that module too, unless you emit into another module with -o"
	for _, test := range []struct {
		dir    string
		target model.Target
		want   []string
	}{
		{"api", model.Native, nil},
		{"pruned", model.Native, []string{
			"go.mod lacks what emitted code imports: updates to go.mod needed; run go mod tidy",
		}},
		{"vendored", model.Native, []string{
			"go.mod lacks what emitted code imports: cannot find module providing package " +
				"github.com/indexer-gen/indexer-gen/runtime/informer: import lookup disabled by -mod=vendor; " +
				"run go mod tidy && go mod vendor",
		}},
		{"api", model.ControllerRuntime, []string{
			"go.mod lacks what emitted code imports: no required module provides package " +
				"sigs.k8s.io/controller-runtime/pkg/client; run go mod tidy" + elsewhere,
		}},
		{"api", model.ClientGo, []string{
			"go.mod lacks what emitted code imports: no required module provides package k8s.io/client-go/listers; " +
				"run go mod tidy" + elsewhere,
		}},
	} {
		result, err := generator.Run(t.Context(), generator.Config{
			Dir: dir + "/" + test.dir, Patterns: []string{"./v1"}, Targets: []model.Target{test.target},
		})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(result.Missing, test.want) {
			t.Errorf("%s, %s: Missing = %q, want %q", test.dir, test.target, result.Missing, test.want)
		}
	}
}
