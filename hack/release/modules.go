// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// kubeModule pins what package apiserver builds and has no package to release.
const kubeModule = "examples/apiserver/kube/go.mod"

// goModule is one module of the repository.
type goModule struct {
	dir  string // relative to the root, with slashes; "." for the generator
	path string // of its go.mod in the file system
	file *modfile.File
}

// tag returns the module's tag for a version, as the go command wants it.
func (m *goModule) tag(version string) string { return path.Join(m.dir, version) }

// released returns the modules in Git's index that are released, by directory.
func released(root string) ([]*goModule, error) {
	list, err := git(root, "ls-files", "--", "go.mod", "**/go.mod")
	if err != nil {
		return nil, err
	}
	var out []*goModule
	for _, name := range strings.Fields(list) {
		if strings.HasPrefix(name, "hack/") || strings.Contains(name, "testdata/") || name == kubeModule {
			continue
		}
		m := &goModule{dir: path.Dir(name), path: filepath.Join(root, filepath.FromSlash(name))}
		data, err := os.ReadFile(m.path)
		if err != nil {
			return nil, err
		}
		if m.file, err = modfile.Parse(name, data, nil); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// siblings yields the requirements of m on modules of the repository.
func (m *goModule) siblings(modules []*goModule) []*modfile.Require {
	var out []*modfile.Require
	for _, r := range m.file.Require {
		if slices.ContainsFunc(modules, func(o *goModule) bool { return o.file.Module.Mod.Path == r.Mod.Path }) {
			out = append(out, r)
		}
	}
	return out
}

// pin makes modules require each other at version.
func pin(modules []*goModule, version string) error {
	for _, m := range modules {
		for _, r := range m.siblings(modules) {
			if err := m.file.AddRequire(r.Mod.Path, version); err != nil {
				return err
			}
		}
		data, err := m.file.Format()
		if err != nil {
			return err
		}
		if err := os.WriteFile(m.path, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}
