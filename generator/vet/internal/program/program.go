// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package program

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Program is a package in SSA form.
type Program struct {
	Package   *ssa.Package
	Functions []*ssa.Function // those of the source, each before the literals that it contains
}

// Analyzer has as its result a function that builds the program, at most once.
var Analyzer = &analysis.Analyzer{
	Name:       "lazyssa",
	Doc:        "build the SSA form of a package when it is needed",
	Run:        run,
	ResultType: reflect.TypeFor[func() *Program](),
}

// Tests adds the files of tests, which are left out otherwise.
var Tests bool

func run(pass *analysis.Pass) (any, error) {
	return sync.OnceValue(func() *Program { return build(pass) }), nil
}

func build(pass *analysis.Pass) *Program {
	prog := ssa.NewProgram(pass.Fset, 0)
	prog.SetNoReturn(endsProgram)
	for _, imported := range pass.Pkg.Imports() {
		prog.CreatePackage(imported, nil, nil, true)
	}
	files := Files(pass)
	info := *pass.TypesInfo
	info.InitOrder = slices.DeleteFunc(slices.Clone(info.InitOrder), func(i *types.Initializer) bool {
		return !slices.ContainsFunc(files, func(f *ast.File) bool { return f.FileStart <= i.Rhs.Pos() && i.Rhs.Pos() < f.FileEnd })
	})
	p := &Program{Package: prog.CreatePackage(pass.Pkg, files, &info, false)}
	p.Package.Build()
	for _, file := range files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil {
				p.add(prog.FuncValue(pass.TypesInfo.Defs[decl.Name].(*types.Func)))
			}
		}
	}
	p.add(p.Package.Func("init"))
	return p
}

func (p *Program) add(fn *ssa.Function) {
	p.Functions = append(p.Functions, fn)
	for _, literal := range fn.AnonFuncs {
		p.add(literal)
	}
}

// Files returns the files of the package that are read.
func Files(pass *analysis.Pass) []*ast.File {
	if Tests {
		return pass.Files
	}
	return slices.DeleteFunc(slices.Clone(pass.Files), func(f *ast.File) bool {
		return strings.HasSuffix(pass.Fset.Position(f.FileStart).Filename, "_test.go")
	})
}

// endsProgram reports whether a function does not return, by its name in the packages that programs use for that.
func endsProgram(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "os", "log", "k8s.io/klog", "k8s.io/klog/v2", "github.com/golang/glog", "github.com/sirupsen/logrus", "testing":
		return fn.Name() == "Exit" || strings.HasPrefix(fn.Name(), "Fatal") || strings.HasPrefix(fn.Name(), "Panic")
	}
	return false
}
