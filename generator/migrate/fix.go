// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// A fix removes what a program no longer uses. Functions and constants have the IDs of uniqueFullName.
type fix struct {
	packages        []string          // with edited files
	usedBefore      map[string]bool   // functions and constants
	emittedExprByID map[string]string // the emitted index functions
	stayReasonByID  map[string]string // why functions and constants stay
}

// useEmittedIndexes edits the registrations, readers and map functions of the program, and removes what nothing uses
// then. It adds the files to those of the package, type-checks all, and returns what stays as it is.
func (p *typeAliasPackage) useEmittedIndexes(ctx context.Context, dir string, textsToExtend map[string][]byte) (left []string, err error) {
	x, files := &fix{usedBefore: map[string]bool{}, emittedExprByID: map[string]string{}, stayReasonByID: map[string]string{}}, editedFiles{}
	for _, a := range p.Answers {
		f := a.function
		why := ""
		switch {
		case f.funcExprOrNil == nil:
			why = "it was recorded"
		case len(a.Indexes) > 1:
			why = "its keys have several forms"
		case a.Indexes[0].Field != a.Index:
			why = fmt.Sprintf("the emitted index is named %q", a.Indexes[0].Field)
		default:
			why = p.reasonNotToEdit(f.pkg, f.funcExprOrNil.Pos())
		}
		if why != "" {
			left = append(left, fmt.Sprintf("%s: the registration of %s stays: %s", a.Position, a.Name(), why))
			continue
		}
		file := files.at(f.pkg, f.funcExprOrNil.Pos())
		name, function := a.emittedExprs(file.useSoleImport(p.Path) + ".")
		file.replace(f.funcExprOrNil.Pos(), f.funcExprOrNil.End(), function)
		x.emittedExprByID[uniqueFullName(f.pkg.typesObjectOf(f.funcExprOrNil))] = function
		if f.nameExprOrNil != nil && f.nameExprOrNil.Pos() < f.funcExprOrNil.Pos() {
			file.replaceNameUnlessLocal(f.nameExprOrNil, name)
		}
		for _, r := range a.unambiguousReads {
			if r.nameExprOrNil != nil && p.reasonNotToEdit(r.pkg, r.nameExprOrNil.Pos()) != "" {
				continue
			}
			m := r.mapFunction
			requests := func(f *editedFile, client string) string {
				return fmt.Sprintf("%s.New%sReader(%s).RequestsBy%s", f.useSoleImport(p.Path), a.Alias, client, a.Indexes[0].Name)
			}
			switch lists := m != nil && m.OnlyLists && a.Indexes[0].IsReference(); {
			case lists && r.nameExprOrNil != nil:
				file := files.at(r.pkg, m.body.Pos())
				file.replace(m.body.Pos(), m.body.End(), "{\nreturn "+requests(file, m.listedByClient)+"("+m.ctxName+", "+m.objName+")\n}")
			case lists && m.returningFunc != nil:
				for _, arg := range r.passedBy {
					if p.reasonNotToEdit(arg.pkg, arg.call.Pos()) != "" {
						continue
					}
					file := files.at(arg.pkg, arg.call.Pos())
					file.replace(arg.call.Pos(), arg.call.End(), requests(file, m.clientExprForCaller(arg.call)))
				}
			case r.nameExprOrNil != nil:
				file := files.at(r.pkg, r.nameExprOrNil.Pos())
				name, _ := a.emittedExprs(file.useSoleImport(p.Path) + ".")
				file.replaceNameUnlessLocal(r.nameExprOrNil, name)
			}
		}
	}
	for _, file := range files {
		if s := file.pkg; !slices.Contains(x.packages, s.PkgPath) {
			x.packages = append(x.packages, s.PkgPath)
			for _, obj := range s.TypesInfo.Uses {
				x.usedBefore[uniqueFullName(obj)] = true
			}
		}
	}
	for again := len(files) > 0; again; again = len(files) > 0 {
		for name, file := range files {
			if textsToExtend[name], err = file.formattedTextWithImport(); err != nil {
				return nil, fmt.Errorf("edit %s: %w", name, err)
			}
		}
		program := newProgram(ctx, dir)
		program.overlayWithTests = textsToExtend
		found, err := program.loadPackages(x.packages...)
		if err == nil {
			files, err = x.removeOrNoteUnused(found)
		}
		if err != nil {
			return nil, err
		}
	}
	return append(left, slices.Sorted(maps.Values(x.stayReasonByID))...), nil
}

// reasonNotToEdit returns why the file at a position cannot use the package or is not to be edited, or "".
func (p *typeAliasPackage) reasonNotToEdit(s *sourcePackage, pos token.Pos) string {
	switch file := s.fileAt(pos); {
	case p.Imports[s.PkgPath] != "":
		return p.Path + " imports its package"
	case s.Module == nil || s.Module.Path != p.ModulePath:
		return p.Path + " is in another module"
	case file == nil || ast.IsGenerated(file):
		return "its file is generated"
	}
	return ""
}

// emittedExprs returns Go for the name of the index, and for its index function.
func (a *Answer) emittedExprs(qualifierWithDot string) (name, function string) {
	words := map[Target][2]string{ClientGo: {"Index", "Indexers()"}, ControllerRuntime: {"Field", "FieldIndexers()"}}[a.Target]
	name = qualifierWithDot + a.Alias + a.Indexes[0].Method + words[0]
	return name, qualifierWithDot + a.Alias + words[1] + "[" + name + "]"
}

// replaceNameUnlessLocal puts the name of an index in place of another, unless that is a variable of the function
// around it.
func (f *editedFile) replaceNameUnlessLocal(e ast.Expr, newText string) {
	if v, ok := f.pkg.typesObjectOf(e).(*types.Var); !ok || v.Parent() == v.Pkg().Scope() {
		f.replace(e.Pos(), e.End(), newText)
	}
}

// removeOrNoteUnused returns the edits that remove imports, functions and constants that nothing uses any longer. It
// notes those that stay.
func (x *fix) removeOrNoteUnused(packages []*sourcePackage) (editedFiles, error) {
	files, usedBy, tested := editedFiles{}, map[string]bool{}, map[string]token.Pos{}
	for _, s := range packages {
		for _, e := range s.TypeErrors {
			if !strings.Contains(e.Msg, "and not used") || !files.at(s, e.Pos).removeAround(e.Pos) {
				return nil, fmt.Errorf("the edited program does not compile: %w", s.Errors[0])
			}
		}
		for id, obj := range s.TypesInfo.Uses {
			if strings.HasSuffix(s.program.fset.File(id.Pos()).Name(), "_test.go") {
				tested[uniqueFullName(obj)] = id.Pos()
			} else {
				usedBy[uniqueFullName(obj)] = true
			}
		}
	}
	for _, s := range packages {
		for name, obj := range s.TypesInfo.Defs {
			id := uniqueFullName(obj)
			c, isConst := obj.(*types.Const)
			_, isFunc := obj.(*types.Func)
			if _, isVar := obj.(*types.Var); isVar { // in the packages of tests, too
				values := s.program.definitionsByIDOrLine[id]
				isFunc = len(values) > 0 && !slices.ContainsFunc(values, func(d definition) bool { _, ok := d.Node.(*ast.FuncLit); return !ok })
			}
			if !x.usedBefore[id] || usedBy[id] || obj.Exported() || !isFunc && !(isConst && c.Val().Kind() == constant.String) {
				continue
			} else if at, ok := tested[id]; ok {
				x.stayReasonByID[id] = fmt.Sprintf("%s: only tests use %s, as at %s", s.program.relativePosition(name.Pos()), name.Name, s.program.relativePosition(at))
				if function := x.emittedExprByID[id]; function != "" {
					x.stayReasonByID[id] += "; they can use " + function
				}
				continue
			}
			why := s.untypedUse(name.Name)
			if file := s.fileAt(name.Pos()); file == nil || ast.IsGenerated(file) {
				why = "its file is generated"
			}
			if why != "" {
				x.stayReasonByID[id] = fmt.Sprintf("%s: %s stays: %s", s.program.relativePosition(name.Pos()), name.Name, why)
				continue
			}
			if !files.at(s, name.Pos()).removeAround(name.Pos()) {
				x.stayReasonByID[id] = fmt.Sprintf("%s: nothing uses %s, which is declared with others", s.program.relativePosition(name.Pos()), name.Name)
			}
		}
	}
	maps.DeleteFunc(files, func(_ string, f *editedFile) bool { return len(f.edits) == 0 })
	for _, s := range packages {
		for _, e := range s.Errors {
			if len(files) == 0 {
				return nil, fmt.Errorf("the edited program does not compile: %w", e)
			}
		}
	}
	return files, nil
}

// untypedUse returns why a name may be used that type-checked files of the package do not use, or "".
func (s *sourcePackage) untypedUse(name string) string {
	word := regexp.MustCompile(`(^|[^\pL\pN_])` + name + `([^\pL\pN_]|$)`)
	for _, file := range slices.Concat(s.IgnoredFiles, s.OtherFiles, s.GoFiles) {
		text, err := os.ReadFile(file)
		if !slices.Contains(s.GoFiles, file) {
			if err != nil || word.Match(text) {
				return filepath.Base(file) + ", which is not compiled here, has the name"
			}
		} else if linkDirective.Match(text) {
			return filepath.Base(file) + " has " + string(bytes.TrimSpace(linkDirective.Find(text)))
		}
	}
	return ""
}

// linkDirective matches directives with names that code outside the package uses.
var linkDirective = regexp.MustCompile(`(?m)^//(go:linkname|export) `)

// removeAround removes the declaration or the assignment around a position that is of one thing, with its comments. What
// calls a function stays, without the name.
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
			} else if len(x.Values) > 0 && f.pkg.mayHaveEffects(x.Values[0]) {
				f.replace(x.Names[0].Pos(), x.Names[0].End(), "_")
				return true
			}
		case *ast.AssignStmt:
			if _, ok := enclosing[i+1].(*ast.BlockStmt); !ok || len(x.Lhs) > 1 {
				return false
			} else if f.pkg.mayHaveEffects(x.Rhs[0]) {
				f.replace(x.Pos(), x.Rhs[0].Pos(), "_ = ")
				return true
			}
		case ast.Stmt:
			return false
		default:
			continue
		}
		if d, ok := enclosing[i+1].(*ast.GenDecl); ok && !d.Lparen.IsValid() {
			n, comments = d, append(comments, d.Doc)
		}
		from, to, markers := n.Pos(), n.End(), ""
		for _, c := range comments {
			for i := 0; c != nil && i < len(c.List); i++ {
				if from, to = min(from, c.Pos()), max(to, c.End()); packageMarker.MatchString(c.List[i].Text) {
					markers += c.List[i].Text + "\n"
				}
			}
		}
		file := f.pkg.program.fset.File(pos)
		nextLine := max(to, file.LineStart(min(file.Line(to)+1, file.LineCount())))
		rest, _ := f.pkg.program.editedSource(to, nextLine, nil)
		if other := strings.TrimLeft(rest, " \t\r\n;"); other == "" || strings.HasPrefix(other, "//") {
			to = nextLine
		} else {
			to += token.Pos(len(rest) - len(other))
		}
		f.replace(from, to, markers)
		return true
	}
	return false
}

// packageMarker matches comments that are not only of the declaration below them.
var packageMarker = regexp.MustCompile(`^//([\t ]*\+|go:generate )`)

// mayHaveEffects reports whether an expression calls a function or receives from a channel.
func (s *sourcePackage) mayHaveEffects(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || !s.TypesInfo.Types[x.Fun].IsType()
		case *ast.UnaryExpr:
			found = found || x.Op == token.ARROW
		}
		return true
	})
	return found
}
