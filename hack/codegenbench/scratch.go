// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// version is that of k8s.io/api and of k8s.io/code-generator.
const version = "v0.37.2"

// scratch is a module in a temporary directory, with the programs to compare.
type scratch struct {
	dir      string
	packages []string // with clients
}

// newScratch makes the module, compiles the programs and finds the packages.
func newScratch() (*scratch, error) {
	dir, err := os.MkdirTemp("", "codegenbench")
	if err != nil {
		return nil, err
	}
	s := &scratch{dir: dir}
	if err := s.prepare(); err != nil {
		s.remove()
		return nil, err
	}
	return s, nil
}

func (s *scratch) remove() { _ = os.RemoveAll(s.dir) }

func (s *scratch) prepare() error {
	for name, text := range map[string]string{
		"go.mod":     "module example.com/bench\n\ngo 1.26.0\n\nrequire (\n\tk8s.io/api " + version + "\n\tk8s.io/code-generator " + version + "\n)\n",
		"header.txt": "// A header.\n",
	} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	repository, err := goCommand(".", "list", "-m", "-f", "{{.Dir}}", "github.com/indexer-gen/indexer-gen")
	if err != nil {
		return err
	}
	if _, err := goCommand(repository, "build", "-o", s.bin(""), "./cmd/indexer-gen"); err != nil {
		return err
	}
	if _, err := s.goCommand("build", "-o", s.bin(""), "k8s.io/code-generator/cmd/lister-gen", "k8s.io/code-generator/cmd/informer-gen"); err != nil {
		return err
	}
	api, err := s.goCommand("list", "-m", "-f", "{{.Dir}}", "k8s.io/api")
	if err != nil {
		return err
	}
	s.packages, err = clients(api)
	return err
}

// clients lists the packages below the directory of k8s.io/api that have a type
// for which client-gen writes a client.
func clients(api string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(api, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte("\n// +genclient\n")) {
			return err
		}
		below, err := filepath.Rel(api, filepath.Dir(name))
		if pkg := path.Join("k8s.io/api", filepath.ToSlash(below)); !slices.Contains(out, pkg) {
			out = append(out, pkg)
		}
		return err
	})
	return out, err
}

// modules keeps the go command to the scratch module.
var modules = []string{"GOWORK=off", "GOFLAGS=-mod=mod"}

func (s *scratch) goCommand(args ...string) (string, error) {
	return output(s.dir, modules, "go", args...)
}

// goCommand runs the go command where this program was started, or elsewhere.
func goCommand(dir string, args ...string) (string, error) { return output(dir, nil, "go", args...) }

func output(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, stderr.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}

// bin is the path of a program, or of the directory of all.
func (s *scratch) bin(name string) string {
	return filepath.Join(s.dir, "bin") + string(filepath.Separator) + name
}

func (s *scratch) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(s.bin(name), append(args, s.packages...)...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), modules...)
	return cmd
}

func (s *scratch) ours() *exec.Cmd {
	return s.command("indexer-gen", "-all", "-header", "header.txt", "-o", "ours/{path}")
}

func (s *scratch) theirs() []*exec.Cmd {
	return []*exec.Cmd{
		s.command("lister-gen", "--go-header-file", "header.txt",
			"--output-dir", "theirs/listers", "--output-pkg", "example.com/bench/theirs/listers"),
		s.command("informer-gen", "--go-header-file", "header.txt",
			"--output-dir", "theirs/informers", "--output-pkg", "example.com/bench/theirs/informers",
			"--versioned-clientset-package", "k8s.io/client-go/kubernetes", "--listers-package", "example.com/bench/theirs/listers"),
	}
}

// run runs the commands one after the other.
func (s *scratch) run(cmds ...*exec.Cmd) (cost, error) {
	var sum cost
	for _, cmd := range cmds {
		c, err := spend(cmd)
		if err != nil {
			return cost{}, err
		}
		sum = sum.then(c)
	}
	return sum, nil
}

// clean removes the generated files.
func (s *scratch) clean() error {
	for _, dir := range []string{"ours", "theirs"} {
		if err := os.RemoveAll(filepath.Join(s.dir, dir)); err != nil {
			return err
		}
	}
	return nil
}

// written returns when each of our files was written.
func (s *scratch) written() (map[string]time.Time, error) {
	out := map[string]time.Time{}
	err := filepath.WalkDir(filepath.Join(s.dir, "ours"), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			out[name] = info.ModTime() // of directories too: they change with every new name
		}
		return err
	})
	return out, err
}

// unchanged fails if a file has been written since.
func (s *scratch) unchanged(before map[string]time.Time) error {
	after, err := s.written()
	if err != nil {
		return err
	}
	for name, at := range after {
		if !at.Equal(before[name]) {
			return fmt.Errorf("%s was written again, though nothing had changed", name)
		}
	}
	return nil
}
