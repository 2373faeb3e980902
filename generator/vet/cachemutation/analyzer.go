// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/handlers"
	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
)

// Analyzer reports writes to objects of caches that were not copied.
var Analyzer = &goanalysis.Analyzer{
	Name:      "cachemutation",
	Doc:       "report writes to objects that came from an informer's cache and were not copied",
	URL:       "https://github.com/indexer-gen/indexer-gen/blob/main/docs/vet.md",
	Requires:  []*goanalysis.Analyzer{program.Analyzer},
	Run:       run,
	FactTypes: []goanalysis.Fact{new(summary), new(hasFacts)},
}

// hasFacts is the fact of a package with facts of functions.
type hasFacts struct{}

func (*hasFacts) AFact() {}

// analysis is what is known of a package while it is read.
type analysis struct {
	pass      *goanalysis.Pass
	types     *typeFacts
	summaries map[*ssa.Function]*summary
	given     map[*ssa.Function][]given
	reports   map[token.Pos][]step // nil until the summaries are complete
}

// given says that a parameter gets objects of a cache.
type given struct {
	param int
	in    path
	way   []step
}

func run(pass *goanalysis.Pass) (any, error) {
	if !relevant(pass) {
		return nil, nil
	}
	functions := pass.ResultOf[program.Analyzer].(func() []*ssa.Function)()
	a := newAnalysis(pass)
	a.handlers(functions)
	a.summarize(functions)
	a.exportFacts(functions)
	a.reports = map[token.Pos][]step{}
	for _, fn := range functions {
		a.analyze(fn)
	}
	for pos, way := range a.reports {
		program.Report(pass, goanalysis.Diagnostic{Pos: pos, Message: message(way)})
	}
	return nil, nil
}

func newAnalysis(pass *goanalysis.Pass) *analysis {
	return &analysis{
		pass:      pass,
		types:     &typeFacts{references: map[types.Type]bool{}, objects: map[types.Type]bool{}},
		summaries: map[*ssa.Function]*summary{},
		given:     map[*ssa.Function][]given{},
	}
}

// relevant reports whether a package can write to an object: it imports apimachinery or a package with facts. The
// packages of the table are left out.
func relevant(pass *goanalysis.Pass) bool {
	if deriving != nil {
		return deriving(pass.Pkg)
	}
	if inTable(pass.Pkg) {
		return false
	}
	return slices.ContainsFunc(pass.Pkg.Imports(), func(imported *types.Package) bool {
		path := handlers.Path(imported)
		return strings.HasPrefix(path, "k8s.io/apimachinery/") || strings.HasPrefix(path, "k8s.io/client-go/") ||
			strings.HasPrefix(path, "sigs.k8s.io/controller-runtime/") || pass.ImportPackageFact(imported, new(hasFacts))
	})
}

func (a *analysis) handlers(functions []*ssa.Function) {
	for _, h := range handlers.Find(functions) {
		way := []step{{"argument of " + h.What, a.place(h.Func.Pos())}}
		if h.Fields == nil {
			a.give(h.Func, given{param: h.Index, way: way})
		}
		for _, i := range h.Fields {
			a.give(h.Func, given{param: h.Index, in: field(i), way: way})
		}
	}
}

func (a *analysis) give(fn *ssa.Function, g given) {
	same := func(o given) bool { return o.param == g.param && o.in == g.in && o.way[0] == g.way[0] }
	if !slices.ContainsFunc(a.given[fn], same) {
		a.given[fn] = append(a.given[fn], g)
	}
}

const mostRounds = 12 // a chain of calls that is longer, against the order of the source, is cut

// summarize finds the summaries of all functions. Callees come first where there is such an order.
func (a *analysis) summarize(functions []*ssa.Function) {
	order := calleesFirst(functions)
	for again, round := true, 0; again && round < mostRounds; round++ {
		again = false
		for _, fn := range order {
			s := a.analyze(fn)
			if old := a.summaries[fn]; old == nil || len(old.Writes) != len(s.Writes) || len(old.Flows) != len(s.Flows) {
				a.summaries[fn] = s
				again = again || !s.empty()
			}
		}
	}
}

// calleesFirst sorts functions so that callees and literals come before their callers, except in cycles.
func calleesFirst(functions []*ssa.Function) (order []*ssa.Function) {
	state := map[*ssa.Function]bool{}
	for _, fn := range functions {
		state[fn] = false
	}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if visited, ours := state[fn]; visited || !ours {
			return
		}
		state[fn] = true
		var operands []*ssa.Value
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				for _, op := range instr.Operands(operands[:0]) {
					if callee, ok := (*op).(*ssa.Function); ok {
						visit(callee)
					}
				}
			}
		}
		order = append(order, fn)
	}
	for _, fn := range functions {
		visit(fn)
	}
	return order
}

func (a *analysis) exportFacts(functions []*ssa.Function) {
	found := false
	for _, fn := range functions {
		object, ok := fn.Object().(*types.Func)
		if s := a.summaries[fn]; ok && !s.empty() && fn.Parent() == nil {
			a.pass.ExportObjectFact(object, s)
			found = true
		}
	}
	if found {
		a.pass.ExportPackageFact(new(hasFacts))
	}
}

// summaryOf returns what is known of a callee: of the seeds, of this package, of the table, or a fact.
func (a *analysis) summaryOf(common *ssa.CallCommon, callee *types.Func) *summary {
	if s, ok := seeded(callee); ok {
		return s
	}
	if fn := common.StaticCallee(); fn != nil {
		if fn.Origin() != nil {
			fn = fn.Origin()
		}
		if s := a.summaries[fn]; s != nil {
			return s
		}
	}
	s := new(summary)
	if callee.Pkg() != nil && !common.IsInvoke() && a.pass.ImportObjectFact(callee, s) {
		return s
	}
	if deriving != nil {
		return nil
	}
	return derivedTable()[nameInTable(callee)]
}

func (a *analysis) report(pos token.Pos, way []step) {
	if old, ok := a.reports[pos]; a.reports != nil && (!ok || len(way) < len(old)) {
		a.reports[pos] = way
	}
}

// place returns a position as messages name it: the directory, the file and the line.
func (a *analysis) place(pos token.Pos) string {
	p := a.pass.Fset.Position(pos)
	if p.Filename == "" {
		return ""
	}
	return fmt.Sprintf("%s/%s:%d", filepath.Base(filepath.Dir(p.Filename)), filepath.Base(p.Filename), p.Line)
}
