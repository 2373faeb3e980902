// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
)

// A recorder is a call of a function that registers index functions with a manager, a cluster or a cache.
type recorder struct {
	in      *source
	fn      *types.Func
	Call    string
	Fails   bool   // it returns an error
	Client  string // the name of package client
	Fakes   []fake
	Imports map[string]string
}

// A fake is an interface of which only GetFieldIndexer answers.
type fake struct {
	Type    string
	Missing map[string]string // the signatures of other methods
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
	named := func(pkg *types.Package) string {
		if pkg.Path() == r.in.PkgPath {
			return ""
		}
		r.Imports[pkg.Path()] = p.name(pkg.Path())
		return p.name(pkg.Path())
	}
	r.Client = named(types.NewPackage(ctrl+"client", "client"))
	var args []string
	for param := range fn.Signature().Params().Variables() {
		text := types.TypeString(param.Type(), named)
		has := func(name string) bool {
			method, _, _ := types.LookupFieldOrMethod(param.Type(), true, r.in.Types, name)
			return method != nil && types.IsInterface(param.Type())
		}
		switch {
		case text == "context.Context":
			args = append(args, "context.Background()")
		case has("GetFieldIndexer"):
			args = append(args, fmt.Sprintf("zzfake%d{}", len(r.Fakes)))
			f := fake{Type: text, Missing: map[string]string{}}
			for method := range param.Type().Underlying().(*types.Interface).Methods() {
				if method.Exported() && method.Name() != "GetFieldIndexer" {
					f.Missing[method.Name()] = strings.TrimPrefix(types.TypeString(method.Signature(), named), "func")
				}
			}
			r.Fakes = append(r.Fakes, f)
		case has("IndexField"):
			args = append(args, "zzindexer{}")
		default:
			args = append(args, "*new("+text+")")
		}
	}
	r.Call, r.Fails = fn.Name()+"("+strings.Join(args, ", ")+")", fn.Signature().Results().Len() == 1
	return r, nil
}

// has reports whether a place is in the function.
func (r *recorder) has(at token.Position) bool {
	from, to := r.in.prog.fset.Position(r.fn.Pos()), r.in.prog.fset.Position(r.fn.Scope().End())
	return at.Filename == from.Filename && from.Line <= at.Line && at.Line <= to.Line
}

// asked returns the functions that were recorded.
func (r *recorder) asked(all []learn.Recorded) (out []*asked) {
	p := r.in.prog
	for i, rec := range all {
		a := &Answer{Target: ControllerRuntime, Index: rec.Field, Function: "recorded", reg: &registration{in: r.in}, fixed: true, Untested: true}
		q := &asked{Answer: a, ID: fmt.Sprint("recorded ", i), Copy: &copied{}, Imports: map[string]string{}}
		a.asked, out = q, append(out, q)
		s, objects := p.source(rec.In), p.source(rec.Package)
		if s == nil || objects == nil {
			q.answer.Reason = "the source of the function is not found"
			continue
		}
		named := objects.Types.Scope().Lookup(rec.Type).Type()
		a.reg.object = types.NewPointer(named)
		for _, file := range s.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.FuncLit, *ast.FuncDecl:
					if at := p.fset.Position(n.Pos()); at.Line == rec.Line && at.Filename == rec.File {
						q.Copy.syntax, a.Position = n, p.position(n.Pos())
					}
				}
				return true
			})
		}
		if q.Copy.syntax == nil {
			q.answer.Reason = "the source of the function is not found"
		} else {
			q.ask(s)
		}
	}
	return out
}
