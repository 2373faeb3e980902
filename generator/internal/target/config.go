// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"path/filepath"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Options holds the options of a run or, after Complete, of one package.
type Options struct {
	Dir      string // absolute
	Patterns []string
	All      bool
	Output   string
	Package  string
	Targets  []model.Target // empty: those of the emitted files, or native
	Header   Header
	Given    []string // options that count even if zero

	AnyModule bool   // allow types of other modules, because nothing is emitted
	Record    string // the record of these options in the emitted file
}

// Names reports whether a pattern names exactly that package.
func (c Options) Names(pkg *loader.Package) bool {
	return load.NamedBy(c.Dir, c.Patterns, pkg.PkgPath, filepath.Dir(pkg.GoFiles[0]))
}

// gives reports whether an option counts even if it is zero.
func (c Options) gives(name string) bool { return slices.Contains(c.Given, name) }
