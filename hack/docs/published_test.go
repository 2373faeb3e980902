// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	version         = "v0.1.0"
	generatorPath   = "github.com/indexer-gen/indexer-gen"
	runtimePath     = generatorPath + "/runtime"
	clientgoPath    = runtimePath + "/clientgo"
	ctrlruntimePath = runtimePath + "/ctrlruntime"
	kubeconnPath    = runtimePath + "/kubeconn"
	prometheusPath  = runtimePath + "/prometheus"
	wirePath        = runtimePath + "/wire"
	examplesPath    = generatorPath + "/examples"
)

// scratch is a directory of this run of the tests.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "docs")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var once sync.Once

// published returns the environment of a machine for which all modules of the repository
// are released at version. All tests share its proxy and its module cache.
//
// The module cache links to the user's for everything but our modules, which must not stay
// there. So nothing is extracted twice. Paths are trimmed, so that the build cache is used.
func published(t *testing.T) []string {
	t.Helper()
	proxy, cache := filepath.Join(scratch, "proxy"), filepath.Join(scratch, "mod")
	once.Do(func() {
		rehearse(t, proxy)
		users := strings.TrimSpace(command(t, scratch, nil, "go", "env", "GOMODCACHE"))
		link(t, users, cache, "cache", "github.com")
		link(t, filepath.Join(users, "cache"), filepath.Join(cache, "cache"), "download")
		link(
			t,
			filepath.Join(users, "cache", "download"),
			filepath.Join(cache, "cache", "download"),
			"github.com",
		)
		for _, hosts := range []string{"github.com", filepath.Join("cache", "download", "github.com")} {
			link(t, filepath.Join(users, hosts), filepath.Join(cache, hosts), "indexer-gen")
		}
	})
	upstream := strings.TrimSpace(command(t, scratch, nil, "go", "env", "GOPROXY"))
	return []string{
		"GOPROXY=file://" + filepath.ToSlash(proxy) + "," + upstream, "GOMODCACHE=" + cache,
		"GONOSUMDB=github.com/indexer-gen/*", "GOFLAGS=-modcacherw -buildvcs=false -trimpath",
	}
}

// link makes a directory with links to what another one has, if it exists, except for some
// names.
func link(t *testing.T, from, to string, except ...string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	entries, _ := os.ReadDir(from)
	for _, entry := range entries {
		if slices.Contains(except, entry.Name()) {
			continue
		}
		if err := os.Symlink(filepath.Join(from, entry.Name()), filepath.Join(to, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
}

// rehearse runs the release command on a copy of the repository, with the changes that are not committed, and
// publishes what it has tagged.
func rehearse(t *testing.T, proxy string) {
	t.Helper()
	repo, copied := repository(t), filepath.Join(scratch, "release")
	git := func(args ...string) string {
		return command(t, copied, nil, "git", append([]string{"-c", "user.name=docs", "-c", "user.email=docs@example.com"}, args...)...)
	}
	release := func(args ...string) string {
		all := append([]string{"run", "./release", "-C", copied}, args...)
		return command(t, filepath.Join(repo, "hack"), nil, "go", all...)
	}
	files := command(t, repo, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	for name := range strings.SplitSeq(strings.TrimSuffix(files, "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(repo, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not yet committed
		} else if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(copied, name), string(text))
	}
	changes := filepath.Join(copied, "CHANGELOG.md")
	write(t, changes, strings.Replace(read(t, changes), "## Unreleased", "## "+version, 1))
	git("init", "--quiet")
	git("config", "user.name", "docs")
	git("config", "user.email", "docs@example.com")
	git("add", "--all")
	release("-prepare", version)
	git("add", "--all")
	git("commit", "--quiet", "--message", "release")
	for tag := range strings.FieldsSeq(release("-tag", version)) {
		dir := strings.TrimSuffix(strings.TrimSuffix(tag, version), "/")
		path := generatorPath
		if dir != "" {
			path += "/" + dir
		}
		publish(t, proxy, path, version, git("show", tag+":"+strings.TrimPrefix(dir+"/go.mod", "/")), func(w io.Writer) error {
			return zip.CreateFromVCS(w, module.Version{Path: path, Version: version}, copied, tag, dir)
		})
	}
}

// publish puts a module into a file proxy.
func publish(t *testing.T, proxy, path, version, mod string, files func(zip io.Writer) error) {
	t.Helper()
	at := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Now().UTC()})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(at, "list"), version+"\n")
	write(t, filepath.Join(at, version+".info"), string(info))
	write(t, filepath.Join(at, version+".mod"), mod)
	f, err := os.Create(filepath.Join(at, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := files(f); err != nil {
		t.Fatal(err)
	}
}
