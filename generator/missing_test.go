// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"os/exec"
	"path/filepath"
	"slices"
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

// TestMissing names what the modules lack that have the emitted code, or require the module that has it.
func TestMissing(t *testing.T) {
	files := map[string]string{
		"api/go.mod":        "module example.com/api\n\ngo 1.24.0\n\n" + needsMeta + needsRuntime,
		"api/v1/types.go":   widgetWithList,
		"cmd/main.go":       "package main\n\nimport _ \"example.com/api/v1\"\n\nfunc main() {}\n",
		"other/go.mod":      "module example.com/other\n\ngo 1.24.0\n\n" + needsMeta + needsRuntime,
		"other/v1/types.go": widgetWithList,
		"go.mod": "module example.com/main\n\ngo 1.24.0\n\nrequire (\n\texample.com/api v0.0.0\n\tk8s.io/apimachinery v0.0.0\n)\n\n" +
			"replace (\n\texample.com/api => ./api\n\tk8s.io/apimachinery => ./meta\n" +
			"\tgithub.com/indexer-gen/indexer-gen/runtime => ./runtime\n\texample.com/deep => ./deep\n)\n",
	}
	fakeRuntime(files)
	for _, name := range []string{"runtime", "runtime/schema", "types"} {
		files["meta/pkg/"+name+"/doc.go"] = "package " + filepath.Base(name) + "\n"
	}
	for _, name := range []string{"go.mod", "v1/types.go"} {
		files["vendored/"+name] = files["other/"+name]
	}
	files["vendored/v1/runtime.go"] = "package api\n\nimport _ \"github.com/indexer-gen/indexer-gen/runtime\"\n"
	dir := module(t, files)
	vendor := exec.CommandContext(t.Context(), "go", "mod", "vendor")
	vendor.Dir = filepath.Join(dir, "vendored")
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOPROXY", "off")
	if out, err := vendor.CombinedOutput(); err != nil {
		t.Fatalf("go mod vendor: %s", out)
	}
	for _, test := range []struct {
		dir    string
		target model.Target
		want   []string
	}{
		{"api", model.Native, []string{
			dir + `/go.mod lacks what emitted code requires, so builds say "updates to go.mod needed"; run go mod tidy in ` + dir,
		}},
		{"other", model.Native, nil},
		{"vendored", model.Native, []string{
			"vendor lacks what emitted code imports; run go mod tidy && go mod vendor",
		}},
		{"other", model.ClientGo, []string{
			"go.mod lacks what emitted code imports: k8s.io/client-go, which every module that imports the package " +
				"will then require too; run go get k8s.io/client-go@latest ./..., or emit into another module with -o",
		}},
		{"other", model.ControllerRuntime, []string{
			"go.mod lacks what emitted code imports: sigs.k8s.io/controller-runtime, which every module that imports the " +
				"package will then require too; run go get sigs.k8s.io/controller-runtime@latest ./..., or emit into another module with -o",
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
	list := exec.CommandContext(t.Context(), "go", "list", "./...")
	list.Dir = dir
	if out, err := list.CombinedOutput(); err == nil {
		t.Errorf("the module above lacks nothing: %s", out)
	}
}
