// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
)

// A function is an index function that the program adds to a cache.
type function struct {
	*Answer
	copied
	fn ast.Expr // nil if it was recorded

	ID           string
	Moved        string // Go for another package, or "" if it uses what only its own package has
	MovedImports map[string]string
	Mentions     *mentions
	learned      learn.Answer
	watched      *conditions // of its run
}

// prepare makes the text of the function, and reads what it mentions.
func (f *function) prepare() {
	f.copied = f.in.copied(f.fn, nil)
	f.learned.Reason = f.why
	f.mention(f.in, f.fn)
	if f.in.Module == nil {
		f.learned.Reason = "not run, since its package is in no module"
	}
	moved := f.copied
	if defs := f.in.prog.defs[f.in.PkgPath+"."+f.Text]; len(defs) == 1 {
		if decl, ok := defs[0].Node.(*ast.FuncDecl); ok && decl.Type.TypeParams == nil {
			moved = f.in.copied(&ast.FuncLit{Type: decl.Type, Body: decl.Body}, nil)
		}
	}
	if !moved.bound {
		f.Moved, f.MovedImports = moved.Text, moved.Imports
	}
}

// refuse notes why the function cannot run, and where, unless that is in a dependency.
func (f *function) refuse(s *source, at token.Pos, format string, args ...any) {
	if f.learned.Reason == "" {
		if f.learned.Reason = fmt.Sprintf(format, args...); s.own && at.IsValid() {
			at := s.prog.position(at)
			f.At = &at
		}
	}
}

// A copied expression is Go for another file of its package.
type copied struct {
	in      *source
	Text    string            // or ""
	Imports map[string]string // names by path, the same in all files
	Before  []string          // declarations of what the text uses of the function around it
	zero    []string          // full names of the types of variables that have zero values before the text
	bound   bool              // it uses what only its package has
	why     string            // it cannot be copied
	edited  *conditions       // that note how they were, or nil
	seen    map[types.Object]bool
}

func (s *source) copied(e ast.Expr, edited *conditions) copied {
	c := copied{in: s, Imports: map[string]string{}, edited: edited, seen: map[types.Object]bool{}}
	c.Text = c.text(e)
	return c
}

// text returns Go for an expression. Before gets declarations of what it uses of the function around it.
func (c *copied) text(e ast.Expr) string {
	var edits []edit
	if c.edited != nil {
		edits = c.edited.edits(c.in, e, map[ast.Expr]bool{})
	}
	for n := range ast.Preorder(e) {
		id, _ := n.(*ast.Ident)
		obj := c.in.TypesInfo.Uses[id]
		if pkg, ok := obj.(*types.PkgName); ok {
			edits = append(edits, edit{from: id.Pos(), to: id.End(), text: c.imported(pkg.Imported())})
		} else if obj == nil || obj.Pkg() != c.in.Types || c.seen[obj] || e.Pos() <= obj.Pos() && obj.Pos() <= e.End() {
			continue
		} else if c.seen[obj] = true; obj.Parent() == nil || obj.Parent() == obj.Pkg().Scope() {
			c.bound = c.bound || obj.Parent() != nil || !obj.Exported()
		} else {
			c.declare(obj)
		}
	}
	from, keyword := e.Pos(), ""
	if f, ok := e.(*ast.FuncLit); ok { // which may be that of a declaration, with a name
		from, keyword = f.Type.Params.Pos(), "func"
	}
	text, err := c.in.prog.edited(from, e.End(), edits)
	if err != nil {
		c.why = "not run: " + err.Error()
	}
	return keyword + text
}

// declare adds a declaration of what the text uses of the function around it.
func (c *copied) declare(obj types.Object) {
	of := strings.TrimPrefix(types.TypeString(gotypes.Deref(obj.Type()), c.imported), "untyped ")
	constant, isConst := obj.(*types.Const)
	value := c.in.value(obj)
	switch {
	case isConst:
		c.Before = append(c.Before, fmt.Sprintf("const %s %s = %s", obj.Name(), of, constant.Val().ExactString()))
	case value != nil && is[*types.Signature](obj.Type()):
		c.Before = append(c.Before, obj.Name()+" := "+c.text(value))
	case types.IsInterface(obj.Type()) && named(obj.Type()) != nil,
		is[*types.Struct](obj.Type()) && named(obj.Type()) != nil && c.in.prog.source(named(obj.Type()).Obj().Pkg().Path()) != nil:
		// Mentions of its fields and methods are refused, which need the source of its package.
		star := map[bool]string{true: "*"}[gotypes.Deref(obj.Type()) == obj.Type()]
		c.Before = append(c.Before, fmt.Sprintf("%s := %snew(%s)", obj.Name(), star, of))
		c.zero = append(c.zero, fullName(named(obj.Type())))
	default:
		c.why = fmt.Sprintf("not run: the function uses %s, which is declared around it", obj.Name())
	}
}

// imported returns the name of a package in another file, and notes it in Imports.
func (c *copied) imported(pkg *types.Package) string {
	if pkg.Path() == c.in.PkgPath {
		c.bound = true
		return ""
	}
	c.Imports[pkg.Path()] = c.in.prog.name(pkg.Path())
	return c.Imports[pkg.Path()]
}

// A recorder is a call of a function that registers index functions with a manager, a cluster or a cache.
type recorder struct {
	copied
	fn     *types.Func
	Call   string
	Fails  bool                // it returns an error
	Client string              // the name of package client
	Fakes  []map[string]string // the signatures of methods that do not answer
	found  []*function
}

// recorder returns the call of a function, such as ./pkg/indexers.AddToManager.
func (p *program) recorder(name string) (*recorder, error) {
	dot := strings.LastIndex(name, ".")
	found, err := p.load(name[:max(0, dot)])
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("%s is not a package and a function, such as ./pkg/indexers.AddToManager: %w", name, err)
	}
	r := &recorder{copied: copied{in: found[0], Imports: map[string]string{"context": "context"}}}
	fn, ok := r.in.Types.Scope().Lookup(name[dot+1:]).(*types.Func)
	if !ok {
		return nil, fmt.Errorf("package %s has no function %s", r.in.PkgPath, name[dot+1:])
	}
	r.fn = fn
	r.Client = r.imported(types.NewPackage("sigs.k8s.io/controller-runtime/pkg/client", "client"))
	var args []string
	for param := range fn.Signature().Params().Variables() {
		of := param.Type()
		text := types.TypeString(of, r.imported)
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
					missing[method.Name()] = strings.TrimPrefix(types.TypeString(method.Signature(), r.imported), "func")
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

// functions returns the functions that were recorded.
func (r *recorder) functions(all []learn.Recorded) (out []*function) {
	p := r.in.prog
	for i, rec := range all {
		f := &function{
			Answer: &Answer{Target: ControllerRuntime, Index: rec.Field, Function: "recorded", fixed: true},
			copied: copied{in: r.in}, ID: fmt.Sprint("recorded ", i), Mentions: &mentions{},
		}
		out = append(out, f)
		f.learned.Reason = "the source of the function is not found"
		s, objects := p.source(rec.In), p.source(rec.Package)
		if s == nil || objects == nil {
			continue
		}
		obj := objects.Types.Scope().Lookup(rec.Type)
		if obj == nil {
			continue // it is declared in a function
		}
		f.object, _ = obj.Type().(*types.Named)
		for _, d := range p.defs[fmt.Sprint(rec.File, rec.Line)] {
			f.learned.Reason, f.Position = "", p.position(d.Pos())
			f.mention(d.in, d.Node)
		}
	}
	return out
}
