// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
)

// Analyzer reports writes to objects of caches that were not copied.
var Analyzer = &goanalysis.Analyzer{
	Name:      "cachemutation",
	Doc:       "report writes to objects that came from an informer's cache and were not copied",
	URL:       "https://github.com/indexer-gen/indexer-gen/blob/main/docs/vet.md",
	Requires:  []*goanalysis.Analyzer{program.Analyzer},
	Run:       run,
	FactTypes: []goanalysis.Fact{new(summary)},
}

// packageAnalysis is what is known of a package while it is read.
type packageAnalysis struct {
	pass                *goanalysis.Pass
	syntax              *inspector.Inspector
	referringTypes      map[types.Type]bool // see canRefer
	summaries           map[*ssa.Function]summary
	lastRounds          map[*ssa.Function]int // in which a function was read last
	round               int
	summaryChanged      bool                       // a summary has changed in this round
	handlerInputEffects map[*ssa.Function][]effect // objects of handlers
	shortestReports     map[token.Pos]effect       // the shortest ways to writes
}

func run(pass *goanalysis.Pass) (any, error) {
	if !canWriteObjects(pass) {
		return nil, nil
	}
	functions := pass.ResultOf[program.Analyzer].(func() []*ssa.Function)()
	a := &packageAnalysis{
		pass:                pass,
		syntax:              inspector.New(pass.Files),
		referringTypes:      map[types.Type]bool{},
		summaries:           map[*ssa.Function]summary{},
		lastRounds:          map[*ssa.Function]int{},
		handlerInputEffects: map[*ssa.Function][]effect{},
		shortestReports:     map[token.Pos]effect{},
	}
	for _, h := range program.Find(functions) {
		e := effect{From: fromCache, To: h.Index, Way: []wayStep{{"argument of " + h.What, a.positionText(h.Func.Pos())}}}
		if h.Field >= 0 {
			e.In = fieldOrResultStep(h.Field)
		}
		a.handlerInputEffects[h.Func] = append(a.handlerInputEffects[h.Func], e)
	}
	a.summarize(functions)
	for _, fn := range functions {
		object, ok := fn.Object().(*types.Func)
		if s := a.summaries[fn]; ok && !s.isEmpty() && fn.Parent() == nil {
			pass.ExportObjectFact(object, &s)
		}
	}
	for _, pos := range slices.Sorted(maps.Keys(a.shortestReports)) {
		program.Report(pass, a.diagnostic(a.shortestReports[pos]))
	}
	return nil, nil
}

// canWriteObjects reports whether a package can write to an object: it imports apimachinery or a package with facts.
// The packages of the table are left out.
func canWriteObjects(pass *goanalysis.Pass) bool {
	imports := pass.Pkg.Imports()
	known := func(f goanalysis.ObjectFact) bool { return slices.Contains(imports, f.Object.Pkg()) }
	return derivesPackage(pass.Pkg) || !isKnownByTableOnly(pass.Pkg) &&
		(slices.ContainsFunc(imports, isKnownByTableOnly) || slices.ContainsFunc(pass.AllObjectFacts(), known))
}

const maxRounds = 12 // functions that call each other are read so often at most

// summarize finds the summaries of all functions, again until nothing is new.
func (a *packageAnalysis) summarize(functions []*ssa.Function) {
	for a.summaryChanged, a.round = true, 1; a.summaryChanged && a.round <= maxRounds; a.round++ {
		a.summaryChanged = false
		for _, fn := range functions {
			a.localSummary(fn)
		}
	}
}

// summaryOf returns what is known of a callee: that it reads a cache, or what the table, this package, or a fact says.
func (a *packageAnalysis) summaryOf(common *ssa.CallCommon, callee *types.Func) *summary {
	if s := a.cacheReadSummary(common, callee); s != nil {
		return s
	}
	if s, ok := tableSummary(callee); ok {
		return s
	}
	if s := a.localSummary(common.StaticCallee()); !s.isEmpty() {
		return s
	}
	s := new(summary)
	if callee.Pkg() != nil && !common.IsInvoke() {
		a.pass.ImportObjectFact(callee, s)
	}
	return s
}

// localSummary returns what is known of a function of this package, or of what it is an instance of. It reads the
// function first, once in a round.
func (a *packageAnalysis) localSummary(fn *ssa.Function) *summary {
	if fn != nil && fn.Origin() != nil {
		fn = fn.Origin()
	}
	if fn != nil && len(fn.Blocks) > 0 && a.lastRounds[fn] < a.round {
		a.lastRounds[fn] = a.round
		s := a.analyzeFunction(fn)
		a.summaryChanged = a.summaryChanged || len(s.Effects) != len(a.summaries[fn].Effects)
		a.summaries[fn] = *s
	}
	s := a.summaries[fn]
	return &s
}

// positionText returns a position as messages name it: the directory, the file and the line.
func (a *packageAnalysis) positionText(pos token.Pos) string {
	p := a.pass.Fset.Position(pos)
	return fmt.Sprintf("%s/%s:%d", filepath.Base(filepath.Dir(p.Filename)), filepath.Base(p.Filename), p.Line)
}
