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
	funcExprOrNil, nameExprOrNil ast.Expr // nil if it was recorded

	ID                string
	Moved             string // Go for another package, or "" if it uses what only its own package has
	MovedImports      map[string]string
	Mentions          *sourceMentions
	learnedAnswer     learn.Answer
	watchedConditions *testBinaryConditions // of its run
}

// copyAndReadMentions makes the text of the function, and reads what it mentions.
func (f *indexFunction) copyAndReadMentions() {
	f.copiedExpr = f.pkg.copyExpr(f.funcExprOrNil, nil)
	f.learnedAnswer.Reason = f.copyError
	f.readMentions(f.pkg, f.funcExprOrNil)
	if f.pkg.Module == nil {
		f.learnedAnswer.Reason = "not run, since its package is in no module"
	}
	moved := f.copiedExpr
	if defs := f.pkg.program.definitionsByIDOrLine[f.pkg.PkgPath+"."+f.Text]; len(defs) == 1 {
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

// A recorder is a call of a function that registers index functions with a manager, a cluster or a cache.
type registrationCall struct {
	copiedExpr
	registeringFunc   *types.Func
	Call              string
	Fails             bool                // it returns an error
	Client            string              // the name of package client
	Fakes             []map[string]string // the signatures of methods that do not answer
	recordedFunctions []*indexFunction
}

// newRegistrationCall returns the call of a function, such as ./pkg/indexers.AddToManager.
func (p *program) newRegistrationCall(name string) (*registrationCall, error) {
	dot := strings.LastIndex(name, ".")
	found, err := p.loadPackages(name[:max(0, dot)])
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("%s is not a package and a function, such as ./pkg/indexers.AddToManager: %w", name, err)
	}
	r := &registrationCall{copiedExpr: copiedExpr{pkg: found[0], Imports: map[string]string{"context": "context"}}}
	fn, ok := r.pkg.Types.Scope().Lookup(name[dot+1:]).(*types.Func)
	if !ok {
		return nil, fmt.Errorf("package %s has no function %s", r.pkg.PkgPath, name[dot+1:])
	}
	r.registeringFunc = fn
	r.Client = r.importQualifier(types.NewPackage("sigs.k8s.io/controller-runtime/pkg/client", "client"))
	var args []string
	for param := range fn.Signature().Params().Variables() {
		of := param.Type()
		text := types.TypeString(of, r.importQualifier)
		field, _, _ := types.LookupFieldOrMethod(of, true, nil, "GetFieldIndexer")
		index, _, _ := types.LookupFieldOrMethod(of, true, nil, "IndexField")
		switch i, isInterface := of.Underlying().(*types.Interface); {
		case text == "context.Context":
			args = append(args, "context.Background()")
		case isInterface && (field != nil || index != nil):
			args = append(args, fmt.Sprintf("zzfake%d{}", len(r.Fakes)))
			missing := map[string]string{}
			for method := range i.Methods() {
				if method != field && method != index {
					missing[method.Name()] = strings.TrimPrefix(types.TypeString(method.Signature(), r.importQualifier), "func")
				}
			}
			r.Fakes = append(r.Fakes, missing)
		default:
			args = append(args, "*new("+text+")")
		}
	}
	r.Call, r.Fails = fn.Name()+"("+strings.Join(args, ", ")+")", fn.Signature().Results().Len() == 1
	return r, nil
}

// recordedIndexFunctions returns the functions that were recorded.
func (r *registrationCall) recordedIndexFunctions(recorded []learn.Recorded) (out []*indexFunction) {
	p := r.pkg.program
	for i, rec := range recorded {
		f := &indexFunction{
			Answer:     &Answer{Target: ControllerRuntime, Index: rec.Field, Function: "recorded", hasConstantName: true},
			copiedExpr: copiedExpr{pkg: r.pkg}, ID: fmt.Sprint("recorded ", i), Mentions: &sourceMentions{},
		}
		out = append(out, f)
		f.learnedAnswer.Reason = "the source of the function is not found"
		s, objects := p.loadSourcePackage(rec.In), p.loadSourcePackage(rec.Package)
		if s == nil || objects == nil {
			continue
		}
		obj := objects.Types.Scope().Lookup(rec.Type)
		if obj == nil {
			continue // it is declared in a function
		}
		f.objectType, _ = obj.Type().(*types.Named)
		for _, d := range p.definitionsByIDOrLine[fmt.Sprint(rec.File, rec.Line)] {
			f.learnedAnswer.Reason, f.Position = "", p.relativePosition(d.Pos())
			f.readMentions(d.pkg, d.Node)
		}
	}
	return out
}
