// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
)

// A program is the packages asked for, and those into which index functions call.
type program struct {
	ctx                  context.Context
	configDir            string
	fset                 *token.FileSet
	overlayWithTests     map[string][]byte // text in place of files, by name; nil if tests are not read
	requestedPackages    []*sourcePackage
	packageOrNilByID     map[string]*sourcePackage // nil for packages that cannot be loaded; with tests, by ID
	nameByPackagePath    map[string]string
	packagePathByName    map[string]string
	definitionsByID      map[string][]definition
	parameterIDs         map[types.Object]string // a function and the number of its parameter
	argumentsByParameter map[string][]argument   // by parameterIDs
	isIndexName          map[*ast.Ident]bool
	compileErrors        []error // of packages that do not compile
}

func newProgram(ctx context.Context, workDir string) *program {
	return &program{
		ctx: ctx, configDir: workDir, fset: token.NewFileSet(),
		packageOrNilByID: map[string]*sourcePackage{}, nameByPackagePath: map[string]string{}, packagePathByName: map[string]string{},
		definitionsByID: map[string][]definition{}, parameterIDs: map[types.Object]string{}, argumentsByParameter: map[string][]argument{}, isIndexName: map[*ast.Ident]bool{},
	}
}

// addPackageErrorOnce notes that a package does not compile, unless that is known of another for the same reason.
func (p *program) addPackageErrorOnce(what, why string) {
	if !slices.ContainsFunc(p.compileErrors, func(err error) bool { return strings.HasSuffix(err.Error(), ": "+why) }) {
		p.compileErrors = append(p.compileErrors, fmt.Errorf("%s: %s", what, why))
	}
}

// A sourcePackage is a package with its syntax.
type sourcePackage struct {
	*packages.Package
	program        *program
	isInMainModule bool // it is of the main module, or of one of the workspace
}

// A definition is that of a function, or what a variable is set to; nil if that is no expression.
type definition struct {
	pkg *sourcePackage
	ast.Node
}

// An argument is what a call passes for a parameter.
type argument struct {
	pkg  *sourcePackage
	expr ast.Expr
}

// loadPackages type-checks packages from source, and what they import from export data, as go vet does.
func (p *program) loadPackages(patterns ...string) (out []*sourcePackage, err error) {
	cfg := &packages.Config{
		Context: p.ctx, Dir: p.configDir, Fset: p.fset, Tests: p.overlayWithTests != nil,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesInfo | packages.NeedExportFile | packages.NeedModule | packages.NeedCompiledGoFiles,
		ParseFile: func(fset *token.FileSet, name string, source []byte) (*ast.File, error) {
			if text, ok := p.overlayWithTests[name]; ok {
				source = text
			}
			return parser.ParseFile(fset, name, source, parser.AllErrors|parser.ParseComments)
		},
	}
	if p.overlayWithTests != nil { // the field of Config has all dependencies type-checked from source
		dir, err := os.MkdirTemp("", "indexer-gen")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		replace := map[string]string{}
		for i, name := range slices.Sorted(maps.Keys(p.overlayWithTests)) {
			replace[name] = filepath.Join(dir, fmt.Sprint(i, ".go"))
			err = errors.Join(err, os.WriteFile(replace[name], p.overlayWithTests[name], 0o666))
		}
		cfg.BuildFlags = []string{"-overlay=" + filepath.Join(dir, "overlay")}
		if err = errors.Join(err, writeOverlay(filepath.Join(dir, "overlay"), replace)); err != nil {
			return nil, err
		}
	}
	found, err := packages.Load(cfg, patterns...)
	for _, pkg := range found {
		if pkg.Types == nil || len(pkg.Syntax) == 0 {
			for _, e := range pkg.Errors {
				return nil, errors.New(load.PatternError(p.configDir, patterns, pkg.PkgPath, e.Msg))
			}
			continue
		}
		s := p.packageOrNilByID[pkg.ID]
		if s == nil {
			s = &sourcePackage{pkg, p, pkg.Module != nil && pkg.Module.Main}
			p.packageOrNilByID[pkg.ID] = s
			for _, f := range s.Syntax {
				ast.Inspect(f, s.noteDefinitionsAndArgs)
			}
		}
		out = append(out, s)
	}
	return out, err
}

// writeOverlay writes the file of the go command's flag -overlay: the names of files, and of those in their place.
func writeOverlay(name string, replace map[string]string) error {
	text, err := json.Marshal(map[string]any{"Replace": replace})
	return errors.Join(err, os.WriteFile(name, text, 0o666))
}

// uniqueFullName returns the name of a function or a variable, which is the same in all packages that use it.
func uniqueFullName(obj types.Object) string {
	switch f, ok := obj.(*types.Func); {
	case ok:
		return f.Origin().FullName()
	case obj == nil || obj.Pkg() == nil:
		return ""
	}
	if _, isConst := obj.(*types.Const); isConst || obj.Parent() == obj.Pkg().Scope() {
		return obj.Pkg().Path() + "." + obj.Name()
	}
	return fmt.Sprint(obj.Name(), obj.Pos())
}

// noteDefinitionsAndArgs notes functions, and what variables are set to.
func (s *sourcePackage) noteDefinitionsAndArgs(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		s.noteAssignment(n.Name, n)
		if fn, ok := s.TypesInfo.Defs[n.Name].(*types.Func); ok {
			for i := range fn.Signature().Params().Len() {
				s.program.parameterIDs[fn.Signature().Params().At(i)] = fmt.Sprint(uniqueFullName(fn), i)
			}
		}
	case *ast.CallExpr:
		for i, arg := range n.Args {
			key := fmt.Sprint(uniqueFullName(s.typesObjectOf(n.Fun)), i)
			s.program.argumentsByParameter[key] = append(s.program.argumentsByParameter[key], argument{s, arg})
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			s.noteAssignment(left, assignedValueOrNil(n.Rhs, i, len(n.Lhs)))
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			s.noteAssignment(name, assignedValueOrNil(n.Values, i, len(n.Names)))
		}
	case *ast.IncDecStmt:
		s.noteAssignment(n.X, nil)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			s.noteAssignment(n.X, nil)
		}
	case *ast.SelectorExpr: // a method that gets the address
		if x := s.TypesInfo.Selections[n]; x != nil && x.Kind() == types.MethodVal {
			if m, _, _ := types.LookupFieldOrMethod(x.Recv(), false, x.Obj().Pkg(), n.Sel.Name); m == nil {
				s.noteAssignment(n.X, nil)
			}
		}
	}
	return true
}

// assignedValueOrNil returns the value of one of n variables, or nil if one call has all.
func assignedValueOrNil(values []ast.Expr, i, n int) ast.Node {
	if len(values) == n {
		return values[i]
	}
	return nil
}

// noteAssignment notes that a variable, or a part of it, is set.
func (s *sourcePackage) noteAssignment(left ast.Expr, valueIfKnown ast.Node) {
	switch x := ast.Unparen(left).(type) {
	case *ast.IndexExpr:
		s.noteAssignment(x.X, nil)
	case *ast.StarExpr:
		s.noteAssignment(x.X, nil)
	case *ast.SelectorExpr:
		if s.TypesInfo.Selections[x] != nil {
			s.noteAssignment(x.X, nil)
			return
		}
	}
	key := uniqueFullName(s.typesObjectOf(left))
	s.program.definitionsByID[key] = append(s.program.definitionsByID[key], definition{s, valueIfKnown})
}

// onlyAssignedExpr returns the expression to which a variable is set, if there is only one.
func (s *sourcePackage) onlyAssignedExpr(obj types.Object) ast.Expr {
	v, _ := obj.(*types.Var)
	if defs := s.program.definitionsByID[uniqueFullName(obj)]; v != nil && len(defs) == 1 {
		e, _ := defs[0].Node.(ast.Expr)
		return e
	}
	return nil
}

// loadSourcePackage returns a package, which it loads if a function of the program calls into it. It returns nil for the
// standard library, and if the package cannot be loaded.
func (p *program) loadSourcePackage(path string) *sourcePackage {
	if s, ok := p.packageOrNilByID[path]; ok {
		return s
	}
	p.packageOrNilByID[path] = nil
	module := func(s *sourcePackage) bool { return s.Module != nil && strings.HasPrefix(path+"/", s.Module.Path+"/") }
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") && !slices.ContainsFunc(p.requestedPackages, module) {
		return nil
	}
	found, err := p.loadPackages(path)
	if err != nil || len(found) != 1 {
		return nil
	}
	return found[0]
}

// relativePosition returns a position, whose file is relative to the working directory if it is below it.
func (p *program) relativePosition(pos token.Pos) Position {
	at := p.fset.Position(pos)
	if rel, err := filepath.Rel(p.configDir, at.Filename); err == nil && !strings.HasPrefix(rel, "..") {
		at.Filename = rel
	}
	return Position{at.Filename, at.Line, at.Column}
}
