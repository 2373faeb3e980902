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

// Complete returns the options of each requested package. Options missing in cfg are taken
// from the record in the package's emitted file.
func Complete(p *load.Program, cfg Options) (map[*loader.Package]Options, error) {
	out := map[*loader.Package]Options{}
	var elsewhere map[string][]string
	for _, pkg := range p.Requested {
		own := cfg
		isOurs := !cfg.AnyModule || load.Own(pkg)
		if isOurs && cfg.Output == "" && !cfg.gives("o") && len(existing(Beside(pkg).Dir)) == 0 {
			if elsewhere == nil {
				var err error
				if elsewhere, err = emittedElsewhere(p, cfg.Dir); err != nil {
					return nil, err
				}
			}
			findOutput(p, &own, pkg, elsewhere[pkg.PkgPath])
		}
		if len(own.Targets) == 0 && isOurs {
			own.Targets = existing(directoryOf(own, pkg))
		}
		if len(own.Targets) == 0 {
			own.Targets = []model.Target{model.Native}
		}
		if cfg.AnyModule {
			own.Targets = own.Targets[:1] // all would describe the same types
		}
		if isOurs {
			complete(p, &own, pkg)
		}
		out[pkg] = own
	}
	return out, nil
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
	for _, file := range p.Recorded {
		if file := ModuleFile(filepath.Dir(file)); file != "" {
			roots[filepath.Dir(file)] = true
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

// findOutput sets the output of a package to the directory of its emitted file.
func findOutput(p *load.Program, cfg *Options, pkg *loader.Package, dirs []string) {
	switch len(dirs) {
	case 0:
	case 1:
		cfg.Output = dirs[0]
	default:
		for i, dir := range dirs {
			dirs[i] = p.Report.Short(dir)
		}
		p.Report.Add(token.Position{},
			pkg.PkgPath+" has emitted files in "+strings.Join(dirs, " and ")+"; choose one with -o")
	}
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
	var recorded1 record
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
			first, recorded1 = file, had
			now = override(had)
		case override(had) != now:
			p.Report.Add(at, fmt.Sprintf("this file records %s, and %s records %s; pass the flags that "+
				"both should have, or delete one file", had.shown(), p.Report.Short(first), recorded1.shown()))
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
