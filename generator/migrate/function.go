// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
)

// An indexFunction is one that the program adds to a cache.
type indexFunction struct {
	*Answer
	copiedExpr
	funcExpr, nameExpr ast.Expr

	ID                string
	Moved             string // Go for another package, or "" if it uses what only its own package has
	MovedImports      map[string]string
	Mentions          *sourceMentions
	learnedAnswer     learn.Answer
	watchedConditions *testBinaryConditions // of its run
}

// copyAndReadMentions makes the text of the function, and reads what it mentions.
func (f *indexFunction) copyAndReadMentions() {
	f.copiedExpr = f.pkg.copyExpr(f.funcExpr, nil)
	f.learnedAnswer.Reason = f.copyError
	f.readMentions()
	if f.pkg.Module == nil {
		f.learnedAnswer.Reason = "not run, since its package is in no module"
	}
	moved := f.copiedExpr
	if defs := f.pkg.program.definitionsByID[f.pkg.PkgPath+"."+f.Text]; len(defs) == 1 {
		if decl, ok := defs[0].Node.(*ast.FuncDecl); ok && decl.Type.TypeParams == nil {
			moved = f.pkg.copyExpr(&ast.FuncLit{Type: decl.Type, Body: decl.Body}, nil)
		}
	}
	if !moved.needsOwnPackage {
		f.Moved, f.MovedImports = moved.Text, moved.Imports
	}
}

// setReasonIfEmpty notes why the function cannot run, and where, unless that is in a dependency.
func (f *indexFunction) setReasonIfEmpty(pkg *sourcePackage, pos token.Pos, format string, args ...any) {
	if f.learnedAnswer.Reason == "" {
		if f.learnedAnswer.Reason = fmt.Sprintf(format, args...); pkg.isInMainModule && pos.IsValid() {
			pos := pkg.program.relativePosition(pos)
			f.At = &pos
		}
	}
}

// A copiedExpr is Go for another file of its package.
type copiedExpr struct {
	pkg               *sourcePackage
	Text              string                // or ""
	Imports           map[string]string     // names by path, the same in all files
	Before            []string              // declarations of what the text uses of the function around it
	zeroVarTypes      []string              // full names of the types of variables that have zero values before the text, without type arguments
	needsOwnPackage   bool                  // such as for a name that is not exported
	copyError         string                // or ""
	conditionsToWatch *testBinaryConditions // that note how they were, or nil
	seenObjects       map[types.Object]bool
}

func (s *sourcePackage) copyExpr(e ast.Expr, watched *testBinaryConditions) copiedExpr {
	c := copiedExpr{pkg: s, Imports: map[string]string{}, conditionsToWatch: watched, seenObjects: map[types.Object]bool{}}
	c.Text = c.copyTextWithCaptures(e)
	return c
}

// copyTextWithCaptures returns Go for an expression. Before gets declarations of what it uses of the function around it.
func (c *copiedExpr) copyTextWithCaptures(e ast.Expr) string {
	var edits []textEdit
	if c.conditionsToWatch != nil {
		edits = c.conditionsToWatch.editsToWatch(c.pkg, e, map[ast.Expr]bool{})
	}
	for n := range ast.Preorder(e) {
		id, _ := n.(*ast.Ident)
		obj := c.pkg.TypesInfo.Uses[id]
		if pkg, ok := obj.(*types.PkgName); ok {
			edits = append(edits, textEdit{id.Pos(), id.End(), c.importQualifier(pkg.Imported()), math.MaxInt}) // after what is inserted before it
		} else if obj == nil || obj.Pkg() != c.pkg.Types || c.seenObjects[obj] || e.Pos() <= obj.Pos() && obj.Pos() <= e.End() {
			continue
		} else if c.seenObjects[obj] = true; obj.Parent() == nil || obj.Parent() == obj.Pkg().Scope() {
			c.needsOwnPackage = c.needsOwnPackage || obj.Parent() != nil || !obj.Exported()
		} else {
			c.declareCapturedOrFail(obj)
		}
	}
	from, keyword := e.Pos(), ""
	if f, ok := e.(*ast.FuncLit); ok { // which may be that of a declaration, with a name
		from, keyword = f.Type.Params.Pos(), "func"
	}
	text, err := c.pkg.program.editedSource(from, e.End(), edits)
	if err != nil {
		c.copyError = "not run: " + err.Error()
	}
	return keyword + text
}

// declareCapturedOrFail adds a declaration of what the text uses of the function around it.
func (c *copiedExpr) declareCapturedOrFail(obj types.Object) {
	of := strings.TrimPrefix(types.TypeString(gotypes.Deref(obj.Type()), c.importQualifier), "untyped ")
	constant, isConst := obj.(*types.Const)
	value := c.pkg.onlyAssignedExpr(obj)
	switch {
	case isConst:
		c.Before = append(c.Before, fmt.Sprintf("const %s %s = %s", obj.Name(), of, constant.Val().ExactString()))
	case value != nil && hasDereferencedUnderlying[*types.Signature](obj.Type()):
		c.Before = append(c.Before, obj.Name()+" := "+c.copyTextWithCaptures(value))
	case types.IsInterface(obj.Type()) && dereferencedNamedType(obj.Type()) != nil,
		hasDereferencedUnderlying[*types.Struct](obj.Type()) && dereferencedNamedType(obj.Type()) != nil && c.pkg.program.loadSourcePackage(dereferencedNamedType(obj.Type()).Obj().Pkg().Path()) != nil:
		// Mentions of its fields and methods are refused, which need the source of its package.
		star := map[bool]string{true: "*"}[gotypes.Deref(obj.Type()) == obj.Type()]
		c.Before = append(c.Before, fmt.Sprintf("%s := %snew(%s)", obj.Name(), star, of))
		c.zeroVarTypes = append(c.zeroVarTypes, fullTypeName(dereferencedNamedType(obj.Type()).Origin()))
	default:
		c.copyError = fmt.Sprintf("not run: the function uses %s, which is declared around it", obj.Name())
	}
}

// importQualifier returns the name of a package in another file, and notes it in Imports.
func (c *copiedExpr) importQualifier(pkg *types.Package) string {
	if pkg.Path() == c.pkg.PkgPath {
		c.needsOwnPackage = true
		return ""
	}
	c.Imports[pkg.Path()] = c.pkg.program.uniqueImportName(pkg.Path())
	return c.Imports[pkg.Path()]
}
