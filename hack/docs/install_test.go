// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// consumer writes a project of a user into dir, with the types of the README.
func consumer(t *testing.T, dir string, env []string) {
	t.Helper()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/consumer\n\ngo 1.24.0\n\nrequire "+lowest+"\n")
	write(t, filepath.Join(dir, "api", "v1alpha1", "types.go"), apiBlock(t).code)
	command(t, dir, env, "go", "mod", "tidy")
}

// lowest is what the runtime requires, and must not be raised.
const lowest = "k8s.io/apimachinery v0.32.0"

// shell runs a block of shell commands in dir.
func shell(t *testing.T, dir string, env []string, b block) {
	t.Helper()
	command(t, dir, env, "bash", "-euo", "pipefail", "-c", b.code)
}

// unraised checks that the project does not require more than before.
func unraised(t *testing.T, dir string) {
	t.Helper()
	mod := read(t, filepath.Join(dir, "go.mod"))
	if !strings.Contains(mod, lowest) || strings.Contains(mod, "controller-tools") {
		t.Errorf("the requirements of the project were raised:\n%s", mod)
	}
	if sum := read(t, filepath.Join(dir, "go.sum")); strings.Contains(sum, "controller-tools") {
		t.Error("go.sum contains dependencies of the generator")
	}
}

// TestInstall runs the installation commands of the README in a project with the lowest
// versions, then generates with a vendor directory and in a workspace.
func TestInstall(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator")
	}
	dir, env := t.TempDir(), published(t)
	consumer(t, dir, env)
	api := filepath.Join(dir, "api", "v1alpha1")
	emitted := filepath.Join(api, "zz_generated.indexers.go")
	generates := func(how string, generate func()) {
		t.Helper()
		if err := os.RemoveAll(emitted); err != nil {
			t.Fatal(err)
		}
		generate()
		if _, err := os.Stat(emitted); err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}

	install := blocks(t, "README.md", "sh")[1:]
	if len(install) != 3 {
		t.Fatalf("README.md has %d blocks of installation commands, this test runs 3", len(install))
	}
	shell(t, dir, env, install[0])
	required := read(t, filepath.Join(dir, "go.mod"))
	for _, b := range install[1:] {
		generates(b.code, func() { shell(t, dir, env, b) })
	}
	tools := read(t, filepath.Join(dir, "tools", "go.mod"))
	command(t, api, env, "go", "generate", ".")
	printed := command(t, dir, env, "go", "run", generatorPath+"/cmd/indexer-gen@"+version, "-version")
	command(t, dir, append(slices.Clone(env), "GOBIN="+dir), "go", "install", generatorPath+"/cmd/indexer-gen@"+version)
	installed := command(t, dir, env, filepath.Join(dir, "indexer-gen"), "-version")
	if want := "indexer-gen " + version + "\n"; printed != want || installed != want {
		t.Errorf("-version prints %q, and %q when installed, want %q", printed, installed, want)
	}
	if now := read(t, filepath.Join(dir, "go.mod")); now != required {
		t.Errorf("running the generator changed go.mod:\n%s", now)
	}
	command(t, dir, env, "go", "mod", "tidy")
	command(t, dir, env, "go", "vet", "./...")
	unraised(t, dir)
	if sum := read(t, filepath.Join(dir, "go.sum")); strings.Contains(sum, "k8s.io/client-go") {
		t.Error("go.sum contains client-go")
	}

	atVersion := []string{"run", "-mod=mod", generatorPath + "/cmd/indexer-gen@" + version, "."}
	vendored := append(slices.Clone(env), "GOFLAGS=-mod=vendor -modcacherw -buildvcs=false -trimpath")
	workspace := append(slices.Clone(env), "GOWORK=")
	command(t, dir, env, "go", "mod", "vendor")
	command(t, dir, env, "go", "build", "-mod=vendor", "./...")
	if _, err := os.Stat(filepath.Join(dir, "vendor", filepath.FromSlash(wirePath))); err == nil {
		t.Error("a program without sources over HTTP vendors module wire")
	}
	generates("vendored", func() { command(t, api, env, "go", "generate", ".") })
	generates("vendored, at a version", func() { command(t, api, env, "go", atVersion...) })
	generates("with -mod=vendor", func() { command(t, api, vendored, "go", "generate", ".") })
	generates("with -mod=vendor, at a version", func() { command(t, api, vendored, "go", atVersion...) })
	if err := os.RemoveAll(filepath.Join(dir, "vendor")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.work"), "go 1.26.0\n\nuse .\n")
	generates("in a workspace, at a version", func() { command(t, api, workspace, "go", atVersion...) })
	generates("in a workspace", func() { command(t, api, env, "go", "generate", ".") })
	if now := read(t, filepath.Join(dir, "tools", "go.mod")); now != tools {
		t.Errorf("go generate changed tools/go.mod:\n%s", now)
	}
}

// TestInstallFromClone runs the commands for a clone beside the project. Nothing of ours is
// published at the version that they name.
func TestInstallFromClone(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator")
	}
	parent, env := t.TempDir(), published(t)
	dir := filepath.Join(parent, "project")
	if err := os.Symlink(repository(t), filepath.Join(parent, "indexer-gen")); err != nil {
		t.Skipf("cannot put a clone beside the project: %v", err)
	}
	consumer(t, dir, env)
	install := blocks(t, "docs/install.md", "sh")
	replace, adapters, add := install[3], install[4], install[5]
	shell(t, dir, env, replace)
	shell(t, dir, env, add)
	command(t, filepath.Join(dir, "api", "v1alpha1"), env, "go", "generate", ".")
	command(t, dir, env, "go", "mod", "tidy")
	command(t, dir, env, "go", "vet", "./...")
	command(t, dir, env, "go", "tool", "-modfile=tools/go.mod", "indexer-gen", "-check", "./api/...")
	unraised(t, dir)

	dir = filepath.Join(parent, "controller")
	writeAdapted(t, dir)
	shell(t, dir, env, replace)
	shell(t, dir, env, adapters)
	resolves(t, dir, env)
}

// writeAdapted writes a program that uses both adapters into dir.
func writeAdapted(t *testing.T, dir string) {
	t.Helper()
	write(t, filepath.Join(dir, "go.mod"), `module example.com/controller

go 1.26.0

require (
	k8s.io/client-go v0.37.2
	sigs.k8s.io/controller-runtime v0.25.2
)
`)
	write(t, filepath.Join(dir, "main.go"), `package main

import (
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"`+clientgoPath+`"
	"`+clientgoPath+`/informers"
	"`+ctrlruntimePath+`"
)

func main() {
	_ = informers.NewSharedInformerFactory
	_ = manager.Options{NewCache: ctrlruntime.NewCache}
	_ = cache.Options{NewInformer: clientgo.NewSharedIndexInformer}
}
`)
}

// TestInstallAdapters gets the modules for client-go and controller-runtime.
func TestInstallAdapters(t *testing.T) {
	t.Parallel()
	dir, env := t.TempDir(), published(t)
	writeAdapted(t, dir)
	shell(t, dir, env, blocks(t, "docs/install.md", "sh")[2])
	resolves(t, dir, env)

	dir = t.TempDir()
	writeAdapted(t, dir)
	shell(t, dir, env, blocks(t, "docs/from-controller-runtime.md", "sh")[0])
	shell(t, dir, env, blocks(t, "docs/readthrough.md", "sh")[0])
	resolves(t, dir, env)
}

// resolves checks that all imports of the program in dir resolve. Other tests compile the packages.
func resolves(t *testing.T, dir string, env []string) {
	t.Helper()
	command(t, dir, env, "go", "mod", "tidy")
	command(t, dir, env, "go", "list", "-deps", "./...")
}

// TestInstallTarget emits code for client-go's cache in a project that has nothing of ours, and still has nothing of
// ours afterward.
func TestInstallTarget(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator and client-go")
	}
	dir, env := t.TempDir(), published(t)
	write(t, filepath.Join(dir, "go.mod"),
		"module example.com/consumer\n\ngo 1.26.0\n\nrequire k8s.io/client-go v0.37.2\n")
	write(t, filepath.Join(dir, "cache.go"), "package consumer\n\nimport _ \"k8s.io/client-go/tools/cache\"\n")
	api := filepath.Join(dir, "api", "v1alpha1")
	write(t, filepath.Join(api, "types.go"), apiBlock(t).code)
	write(t, filepath.Join(api, "deepcopy.go"), "package v1alpha1\n\nimport \"k8s.io/apimachinery/pkg/runtime\"\n\n"+
		"func (w *Widget) DeepCopyObject() runtime.Object { c := *w; return &c }\n")
	command(t, dir, env, "go", "mod", "tidy")
	before := read(t, filepath.Join(dir, "go.mod"))
	shell(t, dir, env, blocks(t, "docs/targets.md", "sh")[0])
	command(t, dir, env, "go", "mod", "tidy")
	if after := read(t, filepath.Join(dir, "go.mod")); after != before {
		t.Errorf("go.mod has become\n%s", after)
	}
	emitted := command(t, dir, env, "go", "list", "-f", "{{.GoFiles}}", "./api/...")
	if !strings.Contains(emitted, "zz_generated.indexers.clientgo.go") {
		t.Errorf("the package has %s", emitted)
	}
	if deps := command(t, dir, env, "go", "list", "-deps", "./..."); strings.Contains(deps, generatorPath) {
		t.Errorf("the project links\n%s", deps)
	}
	command(t, dir, env, "go", "build", "./...")
}

// TestInstallModules gets wire, kubeconn and prometheus, in a project with the lowest versions.
func TestInstallModules(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles client-go")
	}
	dir, env := t.TempDir(), published(t)
	write(t, filepath.Join(dir, "go.mod"),
		"module example.com/consumer\n\ngo 1.24.0\n\nrequire k8s.io/client-go v0.32.0\n")
	write(t, filepath.Join(dir, "main.go"), `package main

import (
	"fmt"

	"`+kubeconnPath+`"
	"`+runtimePath+`/informer"
	"`+prometheusPath+`"
	"`+wirePath+`"
)

func main() {
	conn, err := kubeconn.Load("")
	var _ wire.Conn = conn
	fmt.Println(conn, err, prometheus.NewCollector(informer.NewFactory().Stats))
}
`)
	for _, b := range blocks(t, "docs/install.md", "sh")[:2] {
		shell(t, dir, env, b)
	}
	command(t, dir, env, "go", "mod", "tidy")
	command(t, dir, env, "go", "vet", "./...")
	unraised(t, dir)
	if mod := read(t, filepath.Join(dir, "go.mod")); !strings.Contains(mod, "k8s.io/client-go v0.32.0") {
		t.Errorf("client-go was raised:\n%s", mod)
	}
}

// TestWireOfAnOlderGeneration compiles module wire with a runtime that no longer supports its generation. The error
// names the file that says what to upgrade.
func TestWireOfAnOlderGeneration(t *testing.T) {
	t.Parallel()
	const later = "v0.2.0"
	dir, newer, proxy := t.TempDir(), t.TempDir(), t.TempDir()
	env := published(t)
	if err := os.CopyFS(newer, os.DirFS(filepath.Join(repository(t), "runtime"))); err != nil {
		t.Fatal(err)
	}
	versions := filepath.Join(newer, "version.go")
	write(t, versions, strings.Replace(read(t, versions), "const GenVersion4 = 4", "var GenVersion4 RunIndexerGen", 1))
	publish(t, proxy, runtimePath, later, read(t, filepath.Join(newer, "go.mod")), func(w io.Writer) error {
		return zip.CreateFromDir(w, module.Version{Path: runtimePath, Version: later}, newer)
	})
	env[0] = strings.Replace(env[0], "=", "=file://"+filepath.ToSlash(proxy)+",", 1)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/consumer\n\ngo 1.24.0\n")
	write(t, filepath.Join(dir, "main.go"), "package main\n\nimport _ \""+wirePath+"\"\n\nfunc main() {}\n")
	command(t, dir, env, "go", "get", runtimePath+"@"+later, wirePath+"@"+version)
	build := exec.CommandContext(t.Context(), "go", "build", "./...")
	build.Dir, build.Env = dir, append(append(os.Environ(), "GOWORK=off"), env...)
	out, err := build.CombinedOutput()
	if want := "RunIndexerGen) is not constant"; err == nil || !strings.Contains(string(out), want) ||
		!strings.Contains(string(out), "generation.go") {
		t.Errorf("go build printed %q (%v), want generation.go and %q", out, err, want)
	}
}

// TestImportExample imports package builtin without go.work and replace directives.
func TestImportExample(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles k8s.io/api")
	}
	dir, env := t.TempDir(), published(t)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/consumer\n\ngo 1.26.0\n")
	write(t, filepath.Join(dir, "main.go"), `package main

import (
	"fmt"

	"`+examplesPath+`/builtin"
	"`+wirePath+`"
)

func main() {
	pods := wire.Source[*builtin.Pod](wire.Conn{}, builtin.PodsResource)
	informers := builtin.NewInformers(builtin.InformerSources{Pods: pods})
	for pod := range informers.Pods().Lister().ByNode("node-1") {
		fmt.Println(pod.Name)
	}
}
`)
	command(t, dir, env, "go", "get", runtimePath+"@"+version, wirePath+"@"+version, examplesPath+"/builtin@"+version)
	command(t, dir, env, "go", "vet", "./...")
	deps := command(t, dir, env, "go", "list", "-deps", "./...")
	if strings.Contains(deps, "k8s.io/client-go") || strings.Contains(deps, "etcd") {
		t.Errorf("package builtin depends on more than types and the runtime:\n%s", deps)
	}
}
