// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package readme

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	version       = "v0.1.0"
	generatorPath = "github.com/indexer-gen/indexer-gen"
	runtimePath   = generatorPath + "/runtime"
	kubeconnPath  = runtimePath + "/kubeconn"
	examplesPath  = generatorPath + "/examples"
)

// TestInstall types the README's install commands, one after the other, in a
// project on the lowest apimachinery, with the modules as they would be published.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the generator from its published module")
	}
	dir := t.TempDir()
	env := published(t, map[string]string{generatorPath: ".", runtimePath: "runtime"})

	write(t, filepath.Join(dir, "go.mod"), "module example.com/consumer\n\ngo 1.24.0\n\nrequire k8s.io/apimachinery v0.32.0\n")
	write(t, filepath.Join(dir, "api", "v1alpha1", "types.go"), blocks(t, "go")[2])
	command(t, dir, env, "go", "mod", "tidy")

	emitted := filepath.Join(dir, "api", "v1alpha1", "zz_generated.indexers.go")
	install := installBlocks(t)[:3]
	run := func(block string) { command(t, dir, env, "bash", "-euo", "pipefail", "-c", block) }
	run(install[0])
	before := read(t, filepath.Join(dir, "go.mod"))
	for _, generate := range install[1:] {
		if err := os.RemoveAll(emitted); err != nil {
			t.Fatal(err)
		}
		run(generate)
		if _, err := os.Stat(emitted); err != nil {
			t.Fatalf("%s: %v", generate, err)
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
func installBlocks(t *testing.T) []string {
	t.Helper()
	install := blocks(t, "sh")[2:]
	if len(install) != 4 {
		t.Fatalf("the README has %d install commands, the tests know 4", len(install))
	}
	return install
}

// TestInstallFromClone does the same with a clone beside the project, when nothing of
// ours is published.
func TestInstallFromClone(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the generator")
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "project")
	if err := os.Symlink(repository(t), filepath.Join(parent, "indexer-gen")); err != nil {
		t.Skipf("no clone can be put beside the project: %v", err)
	}
	env := published(t, nil)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/consumer\n\ngo 1.24.0\n\nrequire k8s.io/apimachinery v0.32.0\n")
	write(t, filepath.Join(dir, "api", "v1alpha1", "types.go"), blocks(t, "go")[2])
	command(t, dir, env, "go", "mod", "tidy")
	command(t, dir, env, "bash", "-euo", "pipefail", "-c", installBlocks(t)[3])
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
	if testing.Short() {
		t.Skip("compiles k8s.io/api from its published module")
	}
	dir := t.TempDir()
	env := published(t, map[string]string{runtimePath: "runtime", examplesPath: "examples"})
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
	if testing.Short() {
		t.Skip("compiles client-go from its published module")
	}
	dir := t.TempDir()
	env := published(t, map[string]string{runtimePath: "runtime", kubeconnPath: "runtime/kubeconn"})
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

// published puts modules, of which it is given the directories, into a file proxy,
// and returns the environment in which the go command uses it. Whatever they need
// comes from where it comes always; what was downloaded before need not be again,
// but ours must not stay. Paths are trimmed, so that what was compiled before counts.
func published(t *testing.T, modules map[string]string) []string {
	t.Helper()
	repo, proxy := repository(t), t.TempDir()
	for path, dir := range modules {
		publish(t, proxy, path, filepath.Join(repo, dir))
	}
	upstream := strings.TrimSpace(command(t, proxy, nil, "go", "env", "GOPROXY"))
	cache := strings.TrimSpace(command(t, proxy, nil, "go", "env", "GOMODCACHE"))
	return []string{
		"GOPROXY=file://" + filepath.ToSlash(proxy) + ",file://" + filepath.ToSlash(filepath.Join(cache, "cache", "download")) + "," + upstream,
		"GONOSUMDB=github.com/indexer-gen/*", "GOMODCACHE=" + t.TempDir(), "GOFLAGS=-modcacherw -buildvcs=false -trimpath",
	}
}

// publish puts a module's files into a file proxy, as a release would.
func publish(t *testing.T, proxy, path, dir string) {
	t.Helper()
	at := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Now().UTC()})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(at, "list"), version+"\n")
	write(t, filepath.Join(at, version+".info"), string(info))
	write(t, filepath.Join(at, version+".mod"), read(t, filepath.Join(dir, "go.mod")))
	f, err := os.Create(filepath.Join(at, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := zip.CreateFromDir(f, module.Version{Path: path, Version: version}, dir); err != nil {
		t.Fatal(err)
	}
}
