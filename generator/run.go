// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/generator/internal/write"
	"github.com/indexer-gen/indexer-gen/templates"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Config configures Run and Explain. The zero value generates for the package in the working
// directory, beside its types.
type Config struct {
	Dir      string   // working directory; empty: that of the process
	Patterns []string // packages, as the go command names them; empty: "."
	All      bool     // every root type, not only marked ones
	// Output is the directory for the emitted files, with {path} for the path of a package in its
	// module; empty: beside the types.
	Output  string
	Package string         // name of the emitted package, if Output is set; empty: the directory's
	Targets []model.Target // the caches to emit code for, a file for each; empty: native
	Header  target.Header  // the text at the start of emitted files
	Check   bool           // compare with diffs, write nothing

	// Overlay has the text of packages that need not exist, by the absolute name of their only file.
	Overlay map[string][]byte

	explainsOnly bool // for Explain: nothing is emitted
}

// Result is the result of Run.
type Result struct {
	Files []*write.File // one for each package with types to emit, by import path; then those to remove

	// Missing holds a message with a remedy for each module that lacks what emitted code imports. It is no
	// error, because go mod tidy adds the dependency once the code exists.
	Missing []string
}

// Stale returns the files that differ, or differed, from the existing ones.
func (r *Result) Stale() []*write.File {
	var out []*write.File
	for _, f := range r.Files {
		if f.Changed {
			out = append(out, f)
		}
	}
	return out
}

// FileName is the name of files emitted for the native target.
const FileName = model.NativeFileName

// ErrNoMatch is returned by Run if no package has a type to emit or a leftover file to remove.
var ErrNoMatch = errors.New("no matching type")

// Run generates code. If the input is invalid, it writes nothing and returns [Diagnostics].
// Other errors are failures to read or write files. Run writes all files to temporary names
// and then renames them one after the other. If ctx ends before the first rename, the error
// wraps the context's error.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	out, p, err := generateInMemory(ctx, cfg)
	switch {
	case ctx.Err() != nil: // other errors may follow from it
		return nil, fmt.Errorf("interrupted; nothing was written: %w", ctx.Err())
	case err != nil:
		return nil, err
	case cfg.Check:
		return out, nil
	}
	if err := write.Files(out.Files); err != nil {
		return out, err
	}
	out.Missing = write.Missing(ctx, p, out.Files)
	return out, nil
}

// generateInMemory is Run without writing. It also returns the loaded program.
func generateInMemory(ctx context.Context, cfg Config) (*Result, *load.Program, error) {
	if err := target.CheckPaths(cfg.targetOptions()); err != nil {
		return nil, nil, err
	}
	work, err := setDefaultsAndPlan(ctx, &cfg)
	if err != nil {
		return nil, nil, err
	}
	p, files := work.program, work.files
	plan.CheckDestinations(p, files)
	dests := write.Previous(p, cfg.targetOptions(), files, cfg.Check)
	if err := target.CheckModules(ctx, p, dests); err != nil {
		return nil, nil, err
	}
	if err := p.Report.Err(); err != nil {
		return nil, nil, err
	}
	left, err := write.Leftover(p, cfg.targetOptions(), files, cfg.Check)
	if err != nil {
		return nil, nil, err
	}
	if len(files) == 0 && len(left) == 0 {
		return nil, nil, noMatchError(cfg)
	}
	out, err := renderFiles(cfg, files)
	if err != nil {
		return nil, nil, err
	}
	for i, f := range files {
		file := out.Files[i]
		if err := write.Check(f, p, file.Content); err != nil {
			return nil, nil, err
		}
		file.Name = p.Report.Short(file.Path)
		if err := file.Compare(cfg.Check); err != nil {
			return nil, nil, err
		}
	}
	out.Files = append(out.Files, left...)
	return out, p, nil
}

// plannedRun holds the planned files and their inputs.
type plannedRun struct {
	program   *load.Program
	collected *collect.Collected
	files     []*plan.File
}

// setDefaultsAndPlan runs every stage before rendering, and completes cfg. Errors in the input go to the
// reporter.
func setDefaultsAndPlan(ctx context.Context, cfg *Config) (*plannedRun, error) {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, err
	}
	cfg.Dir = dir
	if len(cfg.Patterns) == 0 {
		cfg.Patterns = []string{"."}
	}
	if len(cfg.Targets) == 0 {
		cfg.Targets = []model.Target{model.Native}
	}
	p, err := load.Load(ctx, cfg.Dir, cfg.Patterns, cfg.Overlay)
	if err != nil {
		return nil, err
	}
	load.UnresolvedBases(p, cfg.All)
	p.ExcludeImporters()
	c := collect.All(p, cfg.targetOptions())
	files, err := plan.Packages(p, c, cfg.targetOptions())
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		f.Name(p, files[:i])
	}
	return &plannedRun{p, c, files}, nil
}

func noMatchError(cfg Config) error {
	where := strings.Join(cfg.Patterns, " ")
	if cfg.All {
		return fmt.Errorf(
			"%w: %s has no type that embeds metav1.TypeMeta and metav1.ObjectMeta, can be listed "+
				"and watched, and is served as its markers say", ErrNoMatch, where)
	}
	return fmt.Errorf(
		"%w: %s has no +index marker; write one, for example // +index:generate above a type, or use -all",
		ErrNoMatch, where)
}

// renderFiles renders and formats the planned files.
func renderFiles(cfg Config, files []*plan.File) (*Result, error) {
	header, err := cfg.Header.Text(cfg.Dir)
	if err != nil {
		return nil, err
	}
	out := &Result{}
	for _, f := range files {
		content, err := write.Format(f.Dest.File(), templates.File(f.Model, header))
		if err != nil {
			return nil, err
		}
		file := &write.File{
			Path: f.Dest.File(), API: f.Pkg.PkgPath, Types: len(f.Model.Types), Content: content,
		}
		for _, t := range f.Model.Types {
			file.Indexes += len(t.Indexes)
		}
		out.Files = append(out.Files, file)
	}
	return out, nil
}

func (c Config) targetOptions() target.Options {
	return target.Options{
		Dir: c.Dir, Patterns: c.Patterns, All: c.All, Output: c.Output, Package: c.Package, Targets: c.Targets,
		Header: c.Header, AnyModule: c.explainsOnly,
	}
}
