// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package tombstone

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/handlers"
	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
	"github.com/indexer-gen/indexer-gen/generator/vet/internal/silence"
)

// Analyzer reports handlers of deletions that panic on tombstones, or ignore them.
var Analyzer = &analysis.Analyzer{
	Name:     "tombstone",
	Doc:      "report handlers of deletions that panic on cache.DeletedFinalStateUnknown, or ignore it",
	URL:      "https://github.com/indexer-gen/indexer-gen/blob/main/docs/vet.md",
	Requires: []*analysis.Analyzer{program.Analyzer},
	Run:      run,
}

func run(pass *analysis.Pass) (any, error) {
	if !imports(pass.Pkg, handlers.CachePackage) {
		return nil, nil
	}
	p := pass.ResultOf[program.Analyzer].(func() *program.Program)()
	quiet := silence.In(pass)
	c := &checker{
		seen: map[*ssa.Parameter]bool{},
		report: func(pos token.Pos, format string, args ...any) {
			if !quiet.At(pos) {
				pass.Reportf(pos, format, args...)
			}
		},
	}
	for _, param := range handlers.Find(p) {
		if param.Delete {
			c.untyped(param.Func.Params[param.Index], param.What)
		}
	}
	for _, fn := range p.Functions {
		c.typed(fn)
	}
	return nil, nil
}

func imports(pkg *types.Package, path string) bool {
	for _, imported := range pkg.Imports() {
		if handlers.Path(imported) == path {
			return true
		}
	}
	return false
}

// isTombstone reports whether a type is the tombstone, or a pointer to it.
func isTombstone(t types.Type) bool {
	pkg, name := handlers.Named(t)
	return pkg == handlers.CachePackage && name == "DeletedFinalStateUnknown"
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}
