// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/types"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
)

// A function is an index function that the program adds to a cache.
type function struct {
	*Answer
	in *source
	fn ast.Expr // nil if it was recorded

	ID       string
	Text     string            // Go for another file of its package, or ""
	Imports  map[string]string // names by path, the same in all files
	Before   []string          // declarations of what the text uses of the function around it
	Mentions *mentions
	zero     []string // full names of the types of variables that have zero values before the text
	learned  learn.Answer
}

// Rows returns objects with the keys that the function returned.
func (f *function) Rows() []learn.Row { return f.learned.Rows }

// prepare makes the text of the function, and reads what it mentions.
func (f *function) prepare() {
	f.Imports = map[string]string{}
	f.Text = f.text(f.fn, map[types.Object]bool{})
	f.mention(f.in, f.fn)
	if f.in.Module == nil {
		f.learned.Reason = "not run, since its package is in no module"
	}
}

// text returns an expression for another file of its package, and adds what is declared around it.
func (f *function) text(e ast.Expr, seen map[types.Object]bool) string {
	imported := f.in.naming(f.Imports)
	for n := range ast.Preorder(e) {
		id, _ := n.(*ast.Ident)
		obj := f.in.TypesInfo.Uses[id]
		if pkg, ok := obj.(*types.PkgName); ok {
			id.Name = imported(pkg.Imported())
			continue
		} else if obj == nil || seen[obj] || obj.Pkg() == nil || obj.Parent() == nil || obj.Parent() == obj.Pkg().Scope() ||
			e.Pos() <= obj.Pos() && obj.Pos() <= e.End() {
			continue
		}
		seen[obj] = true
		of := strings.TrimPrefix(types.TypeString(gotypes.Deref(obj.Type()), imported), "untyped ")
		constant, isConst := obj.(*types.Const)
		literal, isFunc := f.in.value(obj).(*ast.FuncLit)
		switch {
		case isConst:
			f.Before = append(f.Before, fmt.Sprintf("const %s %s = %s", obj.Name(), of, constant.Val().ExactString()))
		case isFunc:
			f.Before = append(f.Before, obj.Name()+" := "+f.text(literal, seen))
		case named(obj.Type()) != nil && (is[*types.Struct](obj.Type()) || types.IsInterface(obj.Type())):
			// Mentions of its fields and methods are refused.
			star := map[bool]string{true: "*"}[gotypes.Deref(obj.Type()) == obj.Type()]
			f.Before = append(f.Before, fmt.Sprintf("%s := %snew(%s)", obj.Name(), star, of))
			f.zero = append(f.zero, fullName(named(obj.Type())))
		default:
			f.learned.Reason = fmt.Sprintf("not run: the function uses %s, which is declared around it", obj.Name())
		}
	}
	var out strings.Builder
	if err := format.Node(&out, f.in.prog.fset, e); err != nil {
		f.learned.Reason = "not run: " + err.Error()
	}
	return out.String()
}

// naming returns the names of packages in another file of a package, and notes them in imports.
func (s *source) naming(imports map[string]string) types.Qualifier {
	return func(pkg *types.Package) string {
		if pkg.Path() != s.PkgPath {
			imports[pkg.Path()] = s.prog.name(pkg.Path())
		}
		return imports[pkg.Path()]
	}
}

// A recorder is a call of a function that registers index functions with a manager, a cluster or a cache.
type recorder struct {
	in      *source
	fn      *types.Func
	Call    string
	Fails   bool                // it returns an error
	Client  string              // the name of package client
	Fakes   []map[string]string // the signatures of methods that do not answer
	Imports map[string]string
	found   []*function
}

// recorder returns the call of a function, such as ./pkg/indexers.AddToManager.
func (p *program) recorder(name string) (*recorder, error) {
	dot := strings.LastIndex(name, ".")
	found, err := p.load(name[:max(0, dot)])
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("%s is not a package and a function, such as ./pkg/indexers.AddToManager: %w", name, err)
	}
	r := &recorder{in: found[0], Imports: map[string]string{"context": "context"}}
	fn, ok := r.in.Types.Scope().Lookup(name[dot+1:]).(*types.Func)
	if !ok {
		return nil, fmt.Errorf("package %s has no function %s", r.in.PkgPath, name[dot+1:])
	}
	r.fn = fn
	named := r.in.naming(r.Imports)
	r.Client = named(types.NewPackage("sigs.k8s.io/controller-runtime/pkg/client", "client"))
	var args []string
	for param := range fn.Signature().Params().Variables() {
		of := param.Type()
		text := types.TypeString(of, named)
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
					missing[method.Name()] = strings.TrimPrefix(types.TypeString(method.Signature(), named), "func")
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
			Answer: &Answer{Target: ControllerRuntime, Index: rec.Field, Function: "recorded", fixed: true, Untested: true},
			in:     r.in, ID: fmt.Sprint("recorded ", i), Mentions: &mentions{},
		}
		out = append(out, f)
		f.learned.Reason = "the source of the function is not found"
		s, objects := p.source(rec.In), p.source(rec.Package)
		if s == nil || objects == nil {
			continue
		}
		f.object, _ = objects.Types.Scope().Lookup(rec.Type).Type().(*types.Named)
		for _, file := range s.Syntax {
			for n := range ast.Preorder(file) {
				switch n.(type) {
				case *ast.FuncLit, *ast.FuncDecl:
					if at := p.fset.Position(n.Pos()); at.Line == rec.Line && at.Filename == rec.File {
						f.learned.Reason, f.Position = "", p.position(n.Pos())
						f.mention(s, n)
					}
				}
			}
		}
	}
	return out
}
