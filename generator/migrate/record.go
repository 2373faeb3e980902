// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
)

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
		f.object = types.NewPointer(objects.Types.Scope().Lookup(rec.Type).Type())
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
