// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// loadParts type-checks the packages that +index:part names and no type refers to, into p.Parts.
// They have types of their own, which are compared by their fields only.
func (p *Program) loadParts(ctx context.Context, dir, tags string, checker *loader.TypeChecker) error {
	var paths []string
	for _, pkg := range p.Targets {
		for _, file := range pkg.Syntax {
			for _, comment := range marker.Comments(p.Report.FileSet, file) {
				def, options, bad := comment.Parse()
				if def == nil || def.Name != "index:part" || len(bad) > 0 {
					continue
				}
				of := options.Text("of")
				path := of[:strings.LastIndexByte(of, '.')]
				if p.Checked[path] == nil && !slices.Contains(paths, path) {
					paths = append(paths, path)
				}
			}
		}
	}
	if len(paths) == 0 {
		return nil
	}
	loaded, err := loader.LoadRootsWithConfig(&packages.Config{
		Context: ctx, Dir: dir, Fset: p.Report.FileSet, BuildFlags: []string{tags},
	}, paths...)
	for _, pkg := range loaded {
		p.Parts[pkg.PkgPath] = pkg
		if len(pkg.GoFiles) > 0 {
			checker.Check(pkg)
		}
	}
	return err
}
