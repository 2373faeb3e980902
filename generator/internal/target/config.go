// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"path/filepath"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Options holds the options of a run.
type Options struct {
	Dir      string // absolute
	Patterns []string
	All      bool
	Output   string
	Package  string
	Targets  []model.Target
	Header   Header

	AnyModule bool // allow types of other modules, because nothing is emitted
}

// Names reports whether a pattern names exactly that package.
func (c Options) Names(pkg *loader.Package) bool {
	return load.NamedBy(c.Dir, c.Patterns, pkg.PkgPath, filepath.Dir(pkg.GoFiles[0]))
}
