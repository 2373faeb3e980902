// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"path/filepath"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
)

// Options are those of a run or, completed by what emitted files record, of one package.
type Options struct {
	Dir      string // absolute
	Patterns []string
	All      bool
	Output   string
	Package  string
	Header   Header
	Given    []string // names of options that hold even if they are zero

	AnyModule bool   // nothing is emitted: the types may be anybody's
	Record    string // what the emitted file says of these options
}

// Names reports whether a pattern is that package.
func (c Options) Names(pkg *loader.Package) bool {
	return load.NamedBy(c.Dir, c.Patterns, pkg.PkgPath, filepath.Dir(pkg.GoFiles[0]))
}

// gives reports whether an option holds even if it is zero.
func (c Options) gives(name string) bool { return slices.Contains(c.Given, name) }
