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

const version = "v0.1.0"

// TestInstall types the README's install commands, one after the other, in a
// project on the lowest apimachinery, with the modules as they would be published.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the generator from its published module")
	}
	repo, dir := repository(t), t.TempDir()
	proxy := t.TempDir()
	publish(t, proxy, "github.com/indexer-gen/indexer-gen", repo)
	publish(t, proxy, "github.com/indexer-gen/indexer-gen/runtime", filepath.Join(repo, "runtime"))
	upstream := strings.TrimSpace(command(t, dir, nil, "go", "env", "GOPROXY"))
	cache := strings.TrimSpace(command(t, dir, nil, "go", "env", "GOMODCACHE"))
	// Our modules come from files, whatever they need from where it comes always;
	// what was downloaded before need not be again, but ours must not stay.
	env := []string{
		"GOPROXY=file://" + filepath.ToSlash(proxy) + ",file://" + filepath.ToSlash(filepath.Join(cache, "cache", "download")) + "," + upstream,
		"GONOSUMDB=github.com/indexer-gen/*", "GOMODCACHE=" + t.TempDir(), "GOFLAGS=-modcacherw -buildvcs=false",
	}

	write(t, filepath.Join(dir, "go.mod"), "module example.com/consumer\n\ngo 1.26.0\n\nrequire k8s.io/apimachinery v0.36.0\n")
	write(t, filepath.Join(dir, "api", "v1alpha1", "types.go"), blocks(t, "go")[2])
	command(t, dir, env, "go", "mod", "tidy")

	emitted := filepath.Join(dir, "api", "v1alpha1", "zz_generated.indexers.go")
	install := blocks(t, "sh")[2:]
	if len(install) != 3 {
		t.Fatalf("the README has %d install commands, the test knows 3", len(install))
	}
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
	command(t, filepath.Join(dir, "api", "v1alpha1"), env, "go", "generate", ".")
	if after := read(t, filepath.Join(dir, "go.mod")); after != before {
		t.Errorf("running the generator has changed go.mod:\n%s", after)
	}
	command(t, dir, env, "go", "mod", "tidy")
	command(t, dir, env, "go", "vet", "./...")
	if mod := read(t, filepath.Join(dir, "go.mod")); !strings.Contains(mod, "k8s.io/apimachinery v0.36.0\n") || strings.Contains(mod, "controller-tools") {
		t.Errorf("the runtime has raised the project's requirements:\n%s", mod)
	}
	if sum := read(t, filepath.Join(dir, "go.sum")); strings.Contains(sum, "controller-tools") || strings.Contains(sum, "k8s.io/client-go") {
		t.Error("the project's go.sum knows the generator's dependencies")
	}
	command(t, dir, env, "go", "mod", "vendor")
	command(t, dir, env, "go", "build", "-mod=vendor", "./...")
	command(t, dir, env, "go", "run", "-mod=mod", "-modfile=tools/go.mod", "github.com/indexer-gen/indexer-gen/cmd/indexer-gen", "-check", "./api/...")
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
