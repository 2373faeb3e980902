// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"context"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// A fix removes what a program no longer uses. Functions and constants have the IDs of objectID.
type fix struct {
	packages   []string          // with edited files
	usedBefore map[string]bool   // functions and constants
	replacedBy map[string]string // the emitted index functions
	onlyTested map[string]string // why functions and constants stay
}

// fix edits the registrations, readers and map functions of the program, and removes what nothing uses then. It adds the
// files to those of the package, type-checks all, and returns what stays as it is.
func (p *aliasPackage) fix(ctx context.Context, dir string, texts map[string][]byte) (left []string, err error) {
	x, files := &fix{usedBefore: map[string]bool{}, replacedBy: map[string]string{}, onlyTested: map[string]string{}}, editedFiles{}
	for _, a := range p.Answers {
		f := a.function
		why := ""
		switch {
		case f.expr == nil:
			why = "it was recorded"
		case len(a.Indexes) > 1:
			why = "its keys have several forms"
		case a.Indexes[0].Field != a.Index:
			why = fmt.Sprintf("the emitted index is named %q", a.Indexes[0].Field)
		case p.Imports[f.pkg.PkgPath] != "":
			why = p.Path + " imports its package"
		}
		if why != "" {
			left = append(left, fmt.Sprintf("%s: the registration of %s stays: %s", a.Position, a.Name(), why))
			continue
		}
		file := files.at(f.pkg, f.expr.Pos())
		name, function := a.emittedNames(file.importName(p.Path) + ".")
		file.replace(f.expr.Pos(), f.expr.End(), function)
		x.replacedBy[objectID(f.pkg.usedObject(f.expr))] = function
		if f.nameExpr != nil && f.nameExpr.Pos() < f.expr.Pos() {
			file.replaceName(f.nameExpr, name)
		}
		for _, r := range a.reads {
			if p.Imports[r.pkg.PkgPath] != "" {
				continue
			}
			m := r.mapFunction
			requests := func(f *editedFile, client string) string {
				return fmt.Sprintf("%s.New%sReader(%s).RequestsBy%s", f.importName(p.Path), a.Alias, client, a.Indexes[0].Name)
			}
			switch lists := m != nil && m.OnlyLists && a.Indexes[0].IsReference(); {
			case lists && r.nameExpr != nil:
				file := files.at(r.pkg, m.body.Pos())
				file.replace(m.body.Pos(), m.body.End(), "{\nreturn "+requests(file, m.listedByClient)+"("+m.ctxName+", "+m.objName+")\n}")
			case lists && m.returningFunc != nil:
				for _, arg := range r.passedBy {
					file := files.at(arg.pkg, arg.call.Pos())
					file.replace(arg.call.Pos(), arg.call.End(), requests(file, m.clientExpr(arg.call)))
				}
			case r.nameExpr != nil:
				file := files.at(r.pkg, r.nameExpr.Pos())
				name, _ := a.emittedNames(file.importName(p.Path) + ".")
				file.replaceName(r.nameExpr, name)
			}
		}
	}
	for _, file := range files {
		if s := file.pkg; !slices.Contains(x.packages, s.PkgPath) {
			x.packages = append(x.packages, s.PkgPath)
			for _, obj := range s.TypesInfo.Uses {
				x.usedBefore[objectID(obj)] = true
			}
		}
	}
	for again := len(files) > 0; again; again = len(files) > 0 {
		for name, file := range files {
			if texts[name], err = file.formattedText(); err != nil {
				return nil, fmt.Errorf("edit %s: %w", name, err)
			}
		}
		program := newProgram(ctx, dir)
		program.overlay = texts
		found, err := program.loadPackages(x.packages...)
		if err == nil {
			files, err = x.unusedEdits(found)
		}
		if err != nil {
			return nil, err
		}
	}
	return append(left, slices.Sorted(maps.Values(x.onlyTested))...), nil
}

// emittedNames returns Go for the name of the index, and for its index function.
func (a *Answer) emittedNames(qualifier string) (name, function string) {
	words := map[Target][2]string{ClientGo: {"Index", "Indexers()"}, ControllerRuntime: {"Field", "FieldIndexers()"}}[a.Target]
	name = qualifier + a.Alias + a.Indexes[0].Method + words[0]
	return name, qualifier + a.Alias + words[1] + "[" + name + "]"
}

// replaceName puts the name of an index in place of another, unless that is a variable of the function around it.
func (f *editedFile) replaceName(e ast.Expr, newText string) {
	if v, ok := f.pkg.usedObject(e).(*types.Var); !ok || v.Parent() == v.Pkg().Scope() {
		f.replace(e.Pos(), e.End(), newText)
	}
}

// unusedEdits returns the edits that remove imports, functions and constants that nothing uses any longer. It notes those
// that tests use.
func (x *fix) unusedEdits(packages []*sourcePackage) (editedFiles, error) {
	files, usedBy, tested := editedFiles{}, map[string]bool{}, map[string]token.Pos{}
	for _, s := range packages {
		for _, e := range s.TypeErrors {
			if !strings.Contains(e.Msg, "and not used") || !files.at(s, e.Pos).removeAround(e.Pos) {
				return nil, fmt.Errorf("the edited program does not compile: %w", s.Errors[0])
			}
		}
		for id, obj := range s.TypesInfo.Uses {
			if strings.HasSuffix(s.program.fset.File(id.Pos()).Name(), "_test.go") {
				tested[objectID(obj)] = id.Pos()
			} else {
				usedBy[objectID(obj)] = true
			}
		}
	}
	for _, s := range packages {
		for name, obj := range s.TypesInfo.Defs {
			id := objectID(obj)
			c, isConst := obj.(*types.Const)
			_, isFunc := obj.(*types.Func)
			if _, isVar := obj.(*types.Var); isVar { // in the packages of tests, too
				values := s.program.definitionsByID[id]
				isFunc = len(values) > 0 && !slices.ContainsFunc(values, func(d definition) bool { _, ok := d.Node.(*ast.FuncLit); return !ok })
			}
			if !x.usedBefore[id] || usedBy[id] || obj.Exported() || !isFunc && !(isConst && c.Val().Kind() == constant.String) {
				continue
			} else if at, ok := tested[id]; ok {
				x.onlyTested[id] = fmt.Sprintf("%s: only tests use %s, as at %s", s.program.relativePosition(name.Pos()), name.Name, s.program.relativePosition(at))
				if function := x.replacedBy[id]; function != "" {
					x.onlyTested[id] += "; they can use " + function
				}
				continue
			}
			files.at(s, name.Pos()).removeAround(name.Pos())
		}
	}
	for _, s := range packages {
		for _, e := range s.Errors {
			if len(files) == 0 {
				return nil, fmt.Errorf("the edited program does not compile: %w", e)
			}
		}
	}
	return files, nil
}

// removeAround removes the declaration or the assignment around a position that is of one thing, with its comments.
func (f *editedFile) removeAround(pos token.Pos) bool {
	enclosing, _ := astutil.PathEnclosingInterval(f.syntax, pos, pos)
	for i, n := range enclosing {
		var comments []*ast.CommentGroup
		switch x := n.(type) {
		case *ast.FuncDecl:
			comments = append(comments, x.Doc)
		case *ast.ImportSpec:
			comments = append(comments, x.Doc, x.Comment)
		case *ast.ValueSpec:
			if comments = append(comments, x.Doc, x.Comment); len(x.Names) > 1 {
				return false
			}
		case *ast.AssignStmt:
			if _, ok := enclosing[i+1].(*ast.BlockStmt); !ok || len(x.Lhs) > 1 {
				return false
			}
		default:
			continue
		}
		if d, ok := enclosing[i+1].(*ast.GenDecl); ok && !d.Lparen.IsValid() {
			n, comments = d, append(comments, d.Doc)
		}
		from, to := n.Pos(), n.End()
		for _, c := range comments {
			if c != nil {
				from, to = min(from, c.Pos()), max(to, c.End())
			}
		}
		file := f.pkg.program.fset.File(pos)
		f.replace(from, max(to, file.LineStart(min(file.Line(to)+1, file.LineCount()))), "") // with the end of the line
		return true
	}
	return false
}
