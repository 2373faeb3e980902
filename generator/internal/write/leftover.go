// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"errors"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
)

// Leftover returns the files to remove: those at the destinations of this run whose packages no
// longer have a type to emit.
func Leftover(
	p *load.Program, cfg target.Options, files []*plan.File, check bool,
) ([]*File, error) {
	kept := map[string]bool{}
	for _, f := range files {
		kept[f.Dest.File()] = true
	}
	var out []*File
	for _, pkg := range p.Targets {
		for _, dest := range destinationsOf(pkg, cfg) {
			if kept[dest.File()] {
				continue
			}
			kept[dest.File()] = true
			f, err := removableEmittedFile(p, pkg, dest, check)
			if err != nil {
				return nil, err
			}
			if f != nil {
				out = append(out, f)
			}
		}
	}
	return out, nil
}

// removableEmittedFile returns the file at dest if it is to be removed, or nil.
func removableEmittedFile(p *load.Program, pkg *loader.Package, dest target.Destination, check bool) (*File, error) {
	old, err := os.ReadFile(dest.File())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !isEmittedFor(pkg, dest, old) || !isBuilt(p, dest.File()) {
		return nil, nil
	}
	f := &File{Path: dest.File(), Name: p.Report.Short(dest.File()), Changed: true, Removed: true}
	if check {
		f.Diff = string(diff.Diff(f.Name, old, f.Name+" (left over: no type of its package is emitted)",
			nil))
	}
	return f, nil
}

// isBuilt reports whether a file is built in the environment of this run. If not, its package may
// have types to emit in another environment, so the file is kept.
func isBuilt(p *load.Program, file string) bool {
	env := build.Default
	env.BuildTags = load.TagsIn(p.GoFlags)
	match, err := env.MatchFile(filepath.Dir(file), filepath.Base(file))
	return match && err == nil
}
