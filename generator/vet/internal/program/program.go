// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package program

import (
	"go/ast"
	"go/types"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Analyzer has as its result a function that builds the SSA form of the package, at most once. It returns the functions
// of the source, each before the literals that it contains.
var Analyzer = &analysis.Analyzer{
	Name: "lazyssa",
	Doc:  "build the SSA form of a package when it is needed",
	Run: func(pass *analysis.Pass) (any, error) {
		return sync.OnceValue(func() []*ssa.Function { return buildSSA(pass) }), nil
	},
	ResultType: reflect.TypeFor[func() []*ssa.Function](),
}

// Tests adds the files of tests, which are left out otherwise.
var Tests bool

// neverReturns matches the packages and names of functions that end the program, or the goroutine.
var neverReturns = regexp.MustCompile(`^(os|log|testing|k8s\.io/klog(/v2)?|github\.com/(golang/glog|sirupsen/logrus)|` +
	`go\.uber\.org/zap) (Exit|(Fatal|Panic)(f|ln|w|Depth)?)$`)

func buildSSA(pass *analysis.Pass) (functions []*ssa.Function) {
	prog := ssa.NewProgram(pass.Fset, 0)
	prog.SetNoReturn(func(fn *types.Func) bool {
		return fn.Pkg() != nil && neverReturns.MatchString(fn.Pkg().Path()+" "+fn.Name())
	})
	for _, imported := range pass.Pkg.Imports() {
		prog.CreatePackage(imported, nil, nil, true)
	}
	pkg := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	pkg.Build()
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if !Tests && strings.HasSuffix(pass.Fset.Position(fn.Pos()).Filename, "_test.go") {
			return
		}
		functions = append(functions, fn)
		for _, literal := range fn.AnonFuncs {
			add(literal)
		}
	}
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil {
				add(prog.FuncValue(pass.TypesInfo.Defs[decl.Name].(*types.Func)))
			}
		}
	}
	add(pkg.Func("init"))
	return functions
}

// Report reports a diagnostic, unless the line ends with //nolint:NAME or //vet:ignore NAME.
func Report(pass *analysis.Pass, d analysis.Diagnostic) {
	name := pass.Analyzer.Name
	silence := regexp.MustCompile(`^//(vet:ignore ` + name + `\s|nolint(:(\S+,)?(all|` + name + `)\b|\s|$))`)
	at := pass.Fset.Position(d.Pos)
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if p := pass.Fset.Position(c.Slash); p.Filename == at.Filename && p.Line == at.Line && silence.MatchString(c.Text) {
					return
				}
			}
		}
	}
	pass.Report(d)
}
