// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// useEmittedIndexes edits the registrations, readers and map functions of the program, and removes the functions that
// nothing uses then. It adds the edited files to textsToExtend, but those that do not compile, and returns what stays
// unchanged, and why.
func (p *typeAliasPackage) useEmittedIndexes(ctx context.Context, dir string, textsToExtend map[string][]byte) (left []string, err error) {
	files, emittedExprByID := editedFiles{}, map[string]string{}
	for _, a := range p.Answers {
		f, replaced := a.function, a.function.funcExpr
		if obj := f.pkg.typesObjectOf(replaced); f.pkg.onlyAssignedExpr(obj) != nil && f.pkg.program.countUses(obj, nil) == 1 {
			replaced = f.pkg.onlyAssignedExpr(obj)
		}
		if why := p.reasonToKeepRegistration(a, replaced); why != "" {
			left = append(left, fmt.Sprintf("%s: the registration of %s stays: %s", a.Position, a.Name(), why))
			continue
		}
		file := files.at(f.pkg, replaced.Pos())
		_, function := a.emittedExprs(file.useSoleImport(p.Path) + ".")
		file.replace(replaced.Pos(), replaced.End(), function)
		emittedExprByID[uniqueFullName(f.pkg.typesObjectOf(f.funcExpr))] = function
		if f.nameExpr.Pos() < f.funcExpr.Pos() {
			p.editName(files, f.pkg, f.nameExpr, a)
		}
		for _, r := range a.unambiguousReads {
			p.editRead(files, a, r)
		}
	}
	usedBefore := map[string]bool{}
	var edited []string // packages
	for _, file := range files {
		edited = append(edited, file.pkg.PkgPath)
		for _, obj := range file.pkg.TypesInfo.Uses {
			usedBefore[uniqueFullName(obj)] = true
		}
	}
	for removed := false; len(files) > 0; {
		found, err := loadEditedPackages(ctx, dir, files, textsToExtend, edited)
		file, broken := firstCompileError(found)
		switch {
		case err != nil:
			return nil, err
		case broken != nil && (removed || files[file] == nil):
			return nil, fmt.Errorf("the edited program does not compile: %w", broken)
		case broken != nil:
			left = append(left, fmt.Sprintf("the edits of a file are dropped, since it does not compile with them: %v", broken))
			delete(files, file)
			delete(textsToExtend, file)
		case removed:
			return left, nil
		default:
			var stay []string
			files, stay = removeUnusedFunctions(found, usedBefore, emittedExprByID)
			left, removed = append(left, stay...), true
		}
	}
	return left, nil
}

// reasonToKeepRegistration returns why an index function, or the expression to which its variable is set, is not replaced,
// or "".
func (p *typeAliasPackage) reasonToKeepRegistration(a *Answer, replaced ast.Expr) string {
	f := a.function
	switch {
	case len(a.Indexes) > 1:
		return "its keys have several forms, and each needs a registration"
	case a.Indexes[0].Field != a.Index:
		return fmt.Sprintf("the emitted index is named %q", a.Indexes[0].Field)
	case len(f.learnedAnswer.OtherTypes) > 0:
		return "the function takes objects of several types"
	}
	uses := map[*types.Var]int{}
	for n := range ast.Preorder(replaced) {
		id, _ := n.(*ast.Ident)
		if v, ok := f.pkg.TypesInfo.Uses[id].(*types.Var); ok && v.Kind() == types.LocalVar && v.Pos() < replaced.Pos() {
			uses[v]++
		}
	}
	for v, n := range uses {
		if n == f.pkg.program.countUses(v, nil) {
			return "the variable " + v.Name() + " would be unused without it"
		}
	}
	return p.reasonNotToEdit(f.pkg, replaced.Pos())
}

// loadEditedPackages adds edited files to the texts, and loads packages with them.
func loadEditedPackages(ctx context.Context, dir string, files editedFiles, textsToExtend map[string][]byte, packages []string) (found []*sourcePackage, err error) {
	for name, file := range files {
		if file.isUnchanged() {
			continue
		} else if textsToExtend[name], err = file.formattedTextWithImports(); err != nil {
			return nil, fmt.Errorf("edit %s: %w", name, err)
		}
	}
	program := newProgram(ctx, dir)
	program.overlayWithTests = textsToExtend
	return program.loadPackages(packages...)
}

// firstCompileError returns an error of packages, and the file that does not compile, if that is known.
func firstCompileError(packages []*sourcePackage) (fileOrEmpty string, err error) {
	for _, s := range packages {
		for _, e := range s.TypeErrors {
			return e.Fset.File(e.Pos).Name(), fmt.Errorf("%s: %s", s.program.relativePosition(e.Pos), e.Msg)
		}
		for _, e := range s.Errors {
			return "", e
		}
	}
	return "", nil
}

// editRead edits a place that asks an index.
func (p *typeAliasPackage) editRead(files editedFiles, a *Answer, r Read) {
	if r.nameExprOrNil == nil || p.reasonNotToEdit(r.pkg, r.nameExprOrNil.Pos()) != "" {
		return
	}
	if m := r.mapFunction; m != nil && m.OnlyLists && a.Indexes[0].IsReference() {
		file := files.at(r.pkg, m.body.Pos())
		file.replace(m.body.Pos(), m.body.End(), fmt.Sprintf("{\nreturn %s.New%sReader(%s).RequestsBy%s(%s, %s)\n}",
			file.useSoleImport(p.Path), a.Alias, m.listedByClient, a.Indexes[0].Name, m.ctxName, m.objName))
	} else {
		p.editName(files, r.pkg, r.nameExprOrNil, a)
	}
}

// countUses returns how often the requested packages use something, without some of the uses.
func (p *program) countUses(obj types.Object, except map[*ast.Ident]bool) (n int) {
	for _, s := range p.requestedPackages {
		for name, used := range s.TypesInfo.Uses {
			if name.Name == obj.Name() && uniqueFullName(used) == uniqueFullName(obj) && !except[name] {
				n++
			}
		}
	}
	return n
}

// reasonNotToEdit returns why the file at a position cannot use the package or is not to be edited, or "".
func (p *typeAliasPackage) reasonNotToEdit(s *sourcePackage, pos token.Pos) string {
	switch file := s.fileAt(pos); {
	case p.Imports[s.PkgPath] != "":
		return p.Path + " imports its package"
	case s.PkgPath == p.Path:
		return "its package is the one that is written"
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

// editName puts the name of an index in place of the literal that an expression is or, if it is a constant or a variable
// of the package that only names indexes, to which that is set. So all that use the constant follow.
func (p *typeAliasPackage) editName(files editedFiles, s *sourcePackage, e ast.Expr, a *Answer) {
	if _, ok := ast.Unparen(e).(*ast.BasicLit); ok && p.reasonNotToEdit(s, e.Pos()) == "" {
		file := files.at(s, e.Pos())
		name, _ := a.emittedExprs(file.useSoleImport(p.Path) + ".")
		file.replace(e.Pos(), e.End(), name)
	} else if obj := s.typesObjectOf(e); !ok && obj != nil && s.program.countUses(obj, s.program.isIndexName) == 0 {
		defs := s.program.definitionsByID[uniqueFullName(obj)] // several if functions have a constant of this name
		if len(defs) != 1 || defs[0].pkg != s {
			return
		} else if value, ok := defs[0].Node.(ast.Expr); ok {
			p.editName(files, s, value, a)
		}
	}
}

// removeUnusedFunctions returns edits that remove functions that were used before, and that nothing uses any longer, and
// why others of them stay.
func removeUnusedFunctions(packages []*sourcePackage, usedBefore map[string]bool, emittedExprByID map[string]string) (files editedFiles, stay []string) {
	users, testUses, unused := map[string][]string{}, map[string]Position{}, map[string]definition{}
	for _, s := range packages {
		for _, file := range s.Syntax {
			isTest := strings.HasSuffix(s.program.fset.File(file.Pos()).Name(), "_test.go")
			for _, decl := range file.Decls {
				user := ""
				if f, ok := decl.(*ast.FuncDecl); ok && !f.Name.IsExported() {
					if user = uniqueFullName(s.TypesInfo.Defs[f.Name]); usedBefore[user] {
						unused[user] = definition{s, f}
					}
				}
				for n := range ast.Preorder(decl) {
					id, _ := n.(*ast.Ident)
					if used := uniqueFullName(s.TypesInfo.Uses[id]); isTest && used != "" {
						testUses[used] = s.program.relativePosition(id.Pos())
					} else if used != user {
						users[used] = append(users[used], user)
					}
				}
			}
		}
	}
	dropUsed := func() {
		for before := -1; before != len(unused); { // what only unused ones use is unused
			before = len(unused)
			maps.DeleteFunc(unused, func(id string, _ definition) bool {
				return slices.ContainsFunc(users[id], func(user string) bool { return unused[user].Node == nil })
			})
		}
	}
	dropUsed()
	for _, id := range slices.Sorted(maps.Keys(unused)) {
		d, ok := unused[id]
		if !ok {
			continue // one that stays uses it
		}
		why := d.pkg.reasonToKeep(d.Node.(*ast.FuncDecl))
		if at, ok := testUses[id]; ok {
			why = "tests use it, as at " + at.String()
			if emitted := emittedExprByID[id]; emitted != "" {
				why += "; they can use " + emitted
			}
		}
		if why != "" {
			stay = append(stay, fmt.Sprintf("%s: %s stays: %s", d.pkg.program.relativePosition(d.Pos()), d.Node.(*ast.FuncDecl).Name.Name, why))
			delete(unused, id)
			dropUsed()
		}
	}
	files = editedFiles{}
	for _, d := range unused {
		from := d.Pos()
		if doc := d.Node.(*ast.FuncDecl).Doc; doc != nil {
			from = doc.Pos()
		}
		files.at(d.pkg, from).replace(from, d.End(), "")
	}
	return files, stay
}

// reasonToKeep returns why a function is not removed that type-checked files of its package do not use, or "".
func (s *sourcePackage) reasonToKeep(f *ast.FuncDecl) string {
	if f.Doc != nil && slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool { return markerOrDirective.MatchString(c.Text) }) {
		return "its comment has a marker or a directive"
	} else if ast.IsGenerated(s.fileAt(f.Pos())) {
		return "its file is generated"
	}
	linked := regexp.MustCompile(`(?m)^//(go:linkname|export) ` + f.Name.Name + `\b`)
	word := regexp.MustCompile(`\b` + f.Name.Name + `\b`)
	for _, file := range slices.Concat(s.IgnoredFiles, s.OtherFiles, s.GoFiles) {
		text, err := os.ReadFile(file)
		if isCompiled := slices.Contains(s.GoFiles, file); isCompiled && linked.Match(text) || !isCompiled && (err != nil || word.Match(text)) {
			return "it is also used in " + filepath.Base(file)
		}
	}
	return ""
}

// markerOrDirective matches comments that other programs read.
var markerOrDirective = regexp.MustCompile(`^//([\t ]*\+|\w+:)`)
