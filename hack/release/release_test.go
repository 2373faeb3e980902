// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// repository makes a repository with a root module, a runtime, a module below it that
// requires it, and hack.
func repository(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	put(t, dir, "go.mod", "module example.com/gen\n\ngo 1.26.0\n")
	put(t, dir, "runtime/go.mod", "module example.com/gen/runtime\n\ngo 1.24.0\n")
	put(t, dir, "runtime/conn/go.mod", `module example.com/gen/runtime/conn

go 1.24.0

require example.com/gen/runtime v0.0.0

replace example.com/gen/runtime => ../
`)
	put(t, dir, "hack/go.mod", "module example.com/gen/hack\n\ngo 1.26.0\n")
	put(t, dir, "CHANGELOG.md", "# Changes\n\n## v0.2.0\n\nMore.\n\n## v0.1.0\n\nThe first.\n")
	run := func(args ...string) {
		if _, err := git(dir, args...); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "--quiet")
	run("config", "user.name", "release test")
	run("config", "user.email", "test@example.com")
	commit(t, dir)
	return dir
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func commit(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"add", "--all"}, {"commit", "--quiet", "--message", "change"}} {
		if _, err := git(dir, args...); err != nil {
			t.Fatal(err)
		}
	}
}

// release runs the command in dir.
func release(dir string, args ...string) (string, error) {
	var out bytes.Buffer
	err := run(&out, append([]string{"-C", dir}, args...))
	return out.String(), err
}

func TestRelease(t *testing.T) {
	dir := repository(t)
	if _, err := release(dir, "v0.1.0"); err == nil || !strings.Contains(err.Error(), "run -prepare v0.1.0") {
		t.Errorf("before -prepare: %v", err)
	}
	for i, version := range []string{"v0.1.0", "v0.2.0"} {
		if _, err := release(dir, "-prepare", version); err != nil {
			t.Fatal(err)
		}
		if _, err := release(dir, version); err == nil ||
			!strings.Contains(err.Error(), "working tree has changes") {
			t.Errorf("before the commit: %v", err)
		}
		commit(t, dir)
		want := version + "\nruntime/conn/" + version + "\nruntime/" + version + "\n"
		if out, err := release(dir, version); err != nil || out != want {
			t.Errorf("check: %v\n%s", err, out)
		}
		if tags, err := git(dir, "tag"); err != nil || len(strings.Fields(tags)) != 3*i {
			t.Errorf("the check has left tags: %s, %v", tags, err)
		}
		if out, err := release(dir, "-tag", version); err != nil || out != want {
			t.Errorf("tag: %v\n%s", err, out)
		}
		for _, tag := range strings.Fields(want) {
			if _, err := git(dir, "rev-parse", "--verify", "refs/tags/"+tag); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestReleaseIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		change  func(t *testing.T, dir string)
		version string
		want    string
	}{
		"not a version":          {version: "0.1.0", want: "write vX.Y.Z"},
		"not canonical":          {version: "v1", want: "write vX.Y.Z"},
		"a new major version":    {version: "v2.0.0", want: "must end in v2"},
		"no section of changes":  {version: "v0.3.0", want: `CHANGELOG.md has no section "## v0.3.0"`},
		"a lower version":        {tag("v0.1.1"), "v0.1.0", "not higher than v0.1.1"},
		"the same version":       {tag("runtime/v0.1.0"), "v0.1.0", "not higher than runtime/v0.1.0"},
		"replaced from outside":  {replace("runtime/conn/go.mod", "../../../x"), "v0.1.0", "outside of the repository"},
		"replaced by a version":  {replace("runtime/conn/go.mod", "example.com/y v1.0.0"), "v0.1.0", "outside of the repository"},
		"replaced in the root":   {replace("go.mod", "./y"), "v0.1.0", "go install refuses it"},
		"replaced in runtime":    {replace("runtime/go.mod", "../y"), "v0.1.0", "go install refuses it"},
		"go.mod that is no file": {func(t *testing.T, dir string) { put(t, dir, "go.mod", "module") }, "v0.1.0", "go.mod:1"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t)
			if _, err := release(dir, "-prepare", "v0.1.0"); err != nil {
				t.Fatal(err)
			}
			if test.change != nil {
				test.change(t, dir)
			}
			commit(t, dir)
			if _, err := release(dir, "-tag", test.version); err == nil ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if tags, _ := git(dir, "tag", "--list", test.version); tags != "" {
				t.Errorf("tagged all the same: %s", tags)
			}
		})
	}
}

func tag(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		commit(t, dir)
		if _, err := git(dir, "tag", name); err != nil {
			t.Fatal(err)
		}
		put(t, dir, "file", "one more commit")
	}
}

func replace(file, to string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		old, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, file, string(old)+"\nreplace example.com/x => "+to+"\n")
	}
}
