// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInstall types the README's install commands, one after the other, in a
// project on the lowest apimachinery, with the modules as they would be published.
func TestInstall(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator from its published module")
	}
	dir := t.TempDir()
	env := published(t)

	write(t, filepath.Join(dir, "go.mod"), "module example.com/consumer\n\ngo 1.24.0\n\nrequire k8s.io/apimachinery v0.32.0\n")
	write(t, filepath.Join(dir, "api", "v1alpha1", "types.go"), apiBlock(t).code)
	command(t, dir, env, "go", "mod", "tidy")

	emitted := filepath.Join(dir, "api", "v1alpha1", "zz_generated.indexers.go")
	install := installBlocks(t)
	run := func(b block) { command(t, dir, env, "bash", "-euo", "pipefail", "-c", b.code) }
	run(install[0])
	before := read(t, filepath.Join(dir, "go.mod"))
	for _, generate := range install[1:] {
		if err := os.RemoveAll(emitted); err != nil {
			t.Fatal(err)
		}
		run(generate)
		if _, err := os.Stat(emitted); err != nil {
			t.Fatalf("%s: %v", generate.code, err)
		}
	}
	tools := read(t, filepath.Join(dir, "tools", "go.mod"))
	command(t, filepath.Join(dir, "api", "v1alpha1"), env, "go", "generate", ".")
	if got := command(t, dir, env, "go", "run", generatorPath+"/cmd/indexer-gen@"+version, "-version"); got != "indexer-gen "+version+"\n" {
		t.Errorf("run at %s, the generator says that it is %s", version, got)
	}
	if after := read(t, filepath.Join(dir, "go.mod")); after != before {
		t.Errorf("running the generator has changed go.mod:\n%s", after)
	}
	command(t, dir, env, "go", "mod", "tidy")
	command(t, dir, env, "go", "vet", "./...")
	if mod := read(t, filepath.Join(dir, "go.mod")); !strings.Contains(mod, "k8s.io/apimachinery v0.32.0\n") || strings.Contains(mod, "controller-tools") {
		t.Errorf("the runtime has raised the project's requirements:\n%s", mod)
	}
	if sum := read(t, filepath.Join(dir, "go.sum")); strings.Contains(sum, "controller-tools") || strings.Contains(sum, "k8s.io/client-go") {
		t.Error("the project's go.sum knows the generator's dependencies")
	}
	command(t, dir, env, "go", "mod", "vendor")
	command(t, dir, env, "go", "build", "-mod=vendor", "./...")
	api := filepath.Join(dir, "api", "v1alpha1")
	regenerate := func(how string, env []string, args ...string) {
		t.Helper()
		if err := os.RemoveAll(emitted); err != nil {
			t.Fatal(err)
		}
		command(t, api, env, "go", args...)
		if _, err := os.Stat(emitted); err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
	atVersion := []string{"run", "-mod=mod", generatorPath + "/cmd/indexer-gen@" + version, "."}
	regenerate("vendored", env, "generate", ".")
	regenerate("vendored, at a version", env, atVersion...)
	env = append(env, "GOFLAGS=-mod=vendor -modcacherw -buildvcs=false -trimpath")
	regenerate("with -mod=vendor", env, "generate", ".")
	regenerate("with -mod=vendor, at a version", env, atVersion...)
	env = env[:len(env)-1]
	if err := os.RemoveAll(filepath.Join(dir, "vendor")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.work"), "go 1.26.0\n\nuse .\n")
	env = append(env, "GOWORK=")
	regenerate("in a workspace, at a version", env, atVersion...)
	regenerate("in a workspace", append(env, "GOWORK=off"), "generate", ".")
	if after := read(t, filepath.Join(dir, "tools", "go.mod")); after != tools {
		t.Errorf("go generate has changed tools/go.mod:\n%s", after)
	}
}

// installBlocks are the README's install commands: three for what is published, and
// those for a clone.
func installBlocks(t *testing.T) []block {
	t.Helper()
	install := blocks(t, "README.md", "sh")[2:]
	if len(install) != 3 {
		t.Fatalf("README.md has %d install commands, the tests know 3", len(install))
	}
	return install
}

// TestInstallFromClone does the same with a clone beside the project, when nothing of
// ours is published.
func TestInstallFromClone(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator")
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "project")
	if err := os.Symlink(repository(t), filepath.Join(parent, "indexer-gen")); err != nil {
		t.Skipf("no clone can be put beside the project: %v", err)
	}
	env := published(t)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/consumer\n\ngo 1.24.0\n\nrequire k8s.io/apimachinery v0.32.0\n")
	write(t, filepath.Join(dir, "api", "v1alpha1", "types.go"), apiBlock(t).code)
	command(t, dir, env, "go", "mod", "tidy")
	command(t, dir, env, "bash", "-euo", "pipefail", "-c", blocks(t, "docs/install.md", "sh")[1].code)
	command(t, filepath.Join(dir, "api", "v1alpha1"), env, "go", "generate", ".")
	command(t, dir, env, "go", "mod", "tidy")
	command(t, dir, env, "go", "vet", "./...")
	command(t, dir, env, "go", "tool", "-modfile=tools/go.mod", "indexer-gen", "-check", "./api/...")
	if mod := read(t, filepath.Join(dir, "go.mod")); !strings.Contains(mod, "k8s.io/apimachinery v0.32.0\n") || strings.Contains(mod, "controller-tools") {
		t.Errorf("the project's requirements have been raised:\n%s", mod)
	}
}

// TestImportExample imports the indexes of package builtin, as a controller could:
// it needs nothing that the workspace or a replace directive gives.
func TestImportExample(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles k8s.io/api from its published module")
	}
	dir := t.TempDir()
	env := published(t)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/consumer\n\ngo 1.26.0\n")
	write(t, filepath.Join(dir, "main.go"), `package main

import (
	"context"
	"fmt"

	"`+examplesPath+`/builtin"
	"`+runtimePath+`/wire"
)

func main() {
	informers := builtin.NewInformers(builtin.HTTPSources(wire.Conn{}, ""))
	pods := informers.Pods().Lister()
	informers.Start(context.Background())
	defer informers.Shutdown()
	for pod := range pods.ByNode("node-1") {
		fmt.Println(pod.Name)
	}
}
`)
	command(t, dir, env, "go", "get", runtimePath+"@"+version, examplesPath+"/builtin@"+version)
	command(t, dir, env, "go", "vet", "./...")
	if list := command(t, dir, env, "go", "list", "-deps", "./..."); strings.Contains(list, "k8s.io/client-go") || strings.Contains(list, "etcd") {
		t.Errorf("the example brings along more than the types and the runtime:\n%s", list)
	}
}

// TestInstallKubeconn requires module kubeconn beside runtime, in a project on the
// lowest versions of what both need, as its go.mod says them: they must stay.
func TestInstallKubeconn(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles client-go from its published module")
	}
	dir := t.TempDir()
	env := published(t)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/consumer\n\ngo 1.24.0\n\nrequire k8s.io/client-go v0.32.0\n")
	write(t, filepath.Join(dir, "main.go"), `package main

import (
	"context"
	"fmt"
	"os"

	"`+kubeconnPath+`"
	"`+runtimePath+`/source"
	"`+runtimePath+`/wire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func main() {
	conn, err := kubeconn.Load("")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	nodes := wire.Source[unstructured.Unstructured](conn, schema.GroupVersionResource{Version: "v1", Resource: "nodes"}, "")
	_, err = nodes.List(context.Background(), metav1.ListOptions{}, func(item source.Item[*unstructured.Unstructured]) error {
		fmt.Println(item.Object.GetName())
		return nil
	})
	fmt.Println(err)
}
`)
	command(t, dir, env, "go", "get", runtimePath+"@"+version, kubeconnPath+"@"+version)
	command(t, dir, env, "go", "mod", "tidy")
	command(t, dir, env, "go", "vet", "./...")
	mod := read(t, filepath.Join(dir, "go.mod"))
	for _, floor := range []string{"k8s.io/client-go v0.32.0", "k8s.io/apimachinery v0.32.0"} {
		if !strings.Contains(mod, floor) {
			t.Errorf("kubeconn has raised the project's requirements, %q is gone:\n%s", floor, mod)
		}
	}
}
