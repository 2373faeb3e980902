// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package tombstone

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/handlers"
	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
)

// Analyzer reports handlers of deletions that panic on tombstones, or ignore them.
var Analyzer = &analysis.Analyzer{
	Name:     "tombstone",
	Doc:      "report handlers of deletions that panic on cache.DeletedFinalStateUnknown, or ignore it",
	URL:      "https://github.com/indexer-gen/indexer-gen/blob/main/docs/vet.md",
	Requires: []*analysis.Analyzer{program.Analyzer},
	Run:      run,
}

// checker has what was done in a package.
type checker struct {
	pass     *analysis.Pass
	params   map[*ssa.Parameter]bool
	reported map[token.Pos]bool
}

func run(pass *analysis.Pass) (any, error) {
	isCache := func(imported *types.Package) bool { return imported.Path() == handlers.CachePackage }
	if !slices.ContainsFunc(pass.Pkg.Imports(), isCache) {
		return nil, nil
	}
	functions := pass.ResultOf[program.Analyzer].(func() []*ssa.Function)()
	c := &checker{pass, map[*ssa.Parameter]bool{}, map[token.Pos]bool{}}
	for _, param := range handlers.Find(functions) {
		if param.Delete {
			c.untyped(param.Func.Params[param.Index], param.What)
		}
	}
	for _, fn := range functions {
		c.walk(fn, nil, "")
	}
	return nil, nil
}

// untyped checks a parameter that may be a tombstone.
func (c *checker) untyped(p *ssa.Parameter, handler string) {
	if c.params[p] {
		return
	}
	c.params[p] = true
	w := c.walk(p.Parent(), p, handler)
	if !w.handled && w.ignores.IsValid() {
		c.report(w.ignores, "%s ignores a deletion that the watch missed: its argument is a cache.DeletedFinalStateUnknown then, "+
			"which has the object in Obj; assert that type as well", handler)
	}
}

func (c *checker) report(pos token.Pos, format string, args ...any) {
	if !c.reported[pos] {
		c.reported[pos] = true
		program.Report(c.pass, analysis.Diagnostic{Pos: pos, Message: fmt.Sprintf(format, args...)})
	}
}
