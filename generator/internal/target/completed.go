// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Complete returns the options of each requested package, one for each directory that has a file of
// it. Options missing in cfg are taken from the records of the emitted files there.
func Complete(p *load.Program, cfg Options) (map[*loader.Package][]Options, error) {
	var elsewhere map[string][]string
	if cfg.Output == "" && !cfg.gives("o") {
		var err error
		if elsewhere, err = emittedElsewhere(p, cfg.Dir); err != nil {
			return nil, err
		}
	}
	out := map[*loader.Package][]Options{}
	for _, pkg := range p.Requested {
		isOurs := !cfg.AnyModule || load.Own(pkg)
		for _, dir := range outputs(p, cfg, pkg, elsewhere[pkg.PkgPath]) {
			own := cfg
			own.Output = dir
			if len(own.Targets) == 0 && isOurs {
				own.Targets = existing(directoryOf(own, pkg))
			}
			if len(own.Targets) == 0 {
				own.Targets = []model.Target{model.Native}
			}
			if isOurs {
				complete(p, &own, pkg)
			}
			out[pkg] = append(out[pkg], own)
		}
		if cfg.AnyModule { // all files would describe the same types
			out[pkg] = out[pkg][:1]
			out[pkg][0].Targets = out[pkg][0].Targets[:1]
		}
	}
	return out, nil
}

// outputs returns the directories that the files of a package go to, as in Options.Output: "" is
// that of the types. The package has emitted files in the directories elsewhere. A run for given
// targets may make files, and then the directory of the types comes first.
func outputs(p *load.Program, cfg Options, pkg *loader.Package, elsewhere []string) []string {
	if cfg.Output != "" || cfg.gives("o") {
		return []string{cfg.Output}
	}
	dirs := elsewhere
	if files := p.Recorded[pkg.PkgPath]; len(files) > 0 { // these match the patterns, not the types
		dirs = directoriesOf(files)
	} else if len(dirs) == 0 || load.Own(pkg) && len(existing(Beside(pkg).Dir)) > 0 {
		dirs = slices.Insert(dirs, 0, "")
	}
	if len(cfg.Targets) > 0 && len(dirs) > 1 {
		if dirs[0] != "" {
			reportSeveral(p, pkg, dirs)
		}
		dirs = dirs[:1]
	}
	return dirs
}

func reportSeveral(p *load.Program, pkg *loader.Package, dirs []string) {
	var short []string
	for _, dir := range dirs {
		short = append(short, p.Report.Short(dir))
	}
	p.Report.Add(token.Position{},
		pkg.PkgPath+" has emitted files in "+strings.Join(short, " and ")+"; choose one with -o")
}

// directoriesOf returns the directories of sorted files.
func directoriesOf(files []string) (dirs []string) {
	for _, file := range files {
		dirs = append(dirs, filepath.Dir(file))
	}
	return slices.Compact(dirs)
}

// emittedElsewhere returns the directories of emitted files that record another package as
// that of their types, by the import path of that package. It searches the module of dir and
// those of the requested packages.
func emittedElsewhere(p *load.Program, dir string) (map[string][]string, error) {
	roots := map[string]bool{}
	if file := ModuleFile(dir); file != "" {
		roots[filepath.Dir(file)] = true
	}
	for _, pkg := range p.Requested {
		if pkg.Module != nil && pkg.Module.Main {
			roots[pkg.Module.Dir] = true
		}
	}
	for _, files := range p.Recorded {
		for _, file := range files {
			if file := ModuleFile(filepath.Dir(file)); file != "" {
				roots[filepath.Dir(file)] = true
			}
		}
	}
	var emitted []string
	for root := range roots {
		files, err := EmittedFiles(root)
		if err != nil {
			return nil, err
		}
		emitted = append(emitted, files...)
	}
	slices.Sort(emitted)
	found := map[string][]string{}
	for _, file := range slices.Compact(emitted) {
		if text, err := os.ReadFile(file); err == nil {
			if had, _, err := recorded(text); err == nil && had.types != "" {
				dirs := append(found[had.types], filepath.Dir(file))
				found[had.types] = slices.Compact(dirs) // one directory may have files for several targets
			}
		}
	}
	return found, nil
}

// complete adds the options recorded in a package's emitted files to cfg, and sets the record
// of the new files. All targets of a package share one record.
func complete(p *load.Program, cfg *Options, pkg *loader.Package) {
	dir := directoryOf(*cfg, pkg)
	now := record{}
	if !load.SameDir(dir, Beside(pkg).Dir) {
		now.types = pkg.PkgPath
	}
	var header Header
	if cfg.Header.File != "" {
		header = cfg.Header.relativeTo(dir, *cfg)
	}
	override := func(r record) record {
		if cfg.All || cfg.gives("all") {
			r.all = cfg.All
		}
		if cfg.Package != "" || cfg.gives("package") {
			r.name = cfg.Package
		}
		if cfg.Header.File != "" || cfg.gives("header") {
			r.header = header
		}
		return r
	}
	now = override(now)
	var first string
	var firstRecord record
	for _, t := range existing(dir) {
		file := filepath.Join(dir, t.FileName())
		text, err := ReadEmitted(file)
		if err != nil || !isEmitted(text) {
			continue
		}
		had, line, err := recorded(text)
		at := token.Position{Filename: file, Line: line, Column: 1}
		switch {
		case err != nil:
			p.Report.Add(at, "the options of this file cannot be read: "+err.Error()+
				"; run the indexer-gen that wrote it, or delete it")
		case had.types != now.types:
		case first == "":
			first, firstRecord = file, had
			now = override(had)
		case override(had) != now:
			p.Report.Add(at, fmt.Sprintf("this file records %s, and %s records %s; pass the flags that "+
				"both should have, or delete one file", had.shown(), p.Report.Short(first), firstRecord.shown()))
		}
	}
	cfg.All, cfg.Package, cfg.Header, cfg.Record = now.all, now.name, now.header, now.String()
	cfg.Header.File = absolute(dir, now.header.File)
}

// absolute returns file as an absolute path, relative to directory dir; "" stays "".
func absolute(dir, file string) string {
	if file == "" || filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, filepath.FromSlash(file))
}

// existing returns the targets of the emitted files in dir.
func existing(dir string) (out []model.Target) {
	for _, t := range model.Targets {
		if _, err := os.Lstat(filepath.Join(dir, t.FileName())); err == nil {
			out = append(out, t)
		}
	}
	return out
}
