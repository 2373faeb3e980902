// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// registered returns the function that an expression of the program is.
func (f *frame) registered(in *source, e ast.Expr) *closure {
	if in.built() == nil {
		f.fail("the package does not compile: %s", strings.TrimPrefix(in.Errors[0].Error(), "-: "))
	}
	f.at = e.Pos()
	var fn *ssa.Function
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		fn = in.enclosing(e.Body.Pos())
	case *ast.Ident:
		if init := in.inits[in.info.ObjectOf(e)]; init != nil && !in.assigned[in.info.ObjectOf(e)] {
			return f.registered(in, init)
		}
		obj, _ := in.info.ObjectOf(e).(*types.Func)
		fn = f.prog.function(obj)
	case *ast.SelectorExpr:
		obj, _ := in.info.ObjectOf(e.Sel).(*types.Func)
		fn = f.prog.function(obj)
	case *ast.IndexExpr:
		return f.registered(in, e.X)
	case *ast.CallExpr:
		if in.info.Types[e.Fun].IsType() {
			return f.registered(in, e.Args[0])
		}
		f.fn = in.enclosing(e.Pos())
		for _, b := range f.fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(*ssa.Call); ok && call.Pos() == e.Lparen {
					if c, ok := f.get(call)[0].value.(*closure); ok {
						return c
					}
				}
			}
		}
	}
	if fn == nil || len(fn.Blocks) == 0 {
		f.fail("%s, which is set outside the function", types.ExprString(e))
	}
	return &closure{fn: fn}
}

// call evaluates a call.
func (f *frame) call(call *ssa.CallCommon) (out []item) {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return f.builtin(b.Name(), call)
	}
	args := [][]item{f.get(call.Value)}
	for _, a := range call.Args {
		args = append(args, f.get(a))
	}
	if !call.IsInvoke() {
		if fn := call.StaticCallee(); fn != nil {
			if v, ok := f.known(fn, args[1:]); ok {
				return v
			}
		}
		if c, ok := args[0][0].value.(*closure); ok && len(args[0]) == 1 {
			return f.enter(c, args[1:], call)
		}
		f.fail("a call of %s", f.describe(args[0][0].value))
	}
	return f.each(args, func(vs []value) []item {
		p, ok := vs[0].(*place)
		if _, isConst := vs[0].(*konst); isConst {
			return nil // it panics
		}
		if !ok {
			f.fail("a call of %s", call.Method.FullName())
		}
		if v := f.getter(p, call.Method); v != nil {
			return one(v)
		}
		method, _, _ := types.LookupFieldOrMethod(p.typ, true, call.Method.Pkg(), call.Method.Name())
		concrete, _ := method.(*types.Func)
		fn := f.prog.function(concrete)
		if fn == nil {
			f.fail("a call of %s", call.Method.FullName())
		}
		return f.enter(&closure{fn: fn}, args, call)
	})
}

// getter returns the field that a method of metav1.Object is about, or nil.
func (f *frame) getter(p *place, method *types.Func) value {
	name, ok := strings.CutPrefix(method.Name(), "Get")
	if !ok || method.Pkg().Path() != "k8s.io/apimachinery/pkg/apis/meta/v1" {
		return nil
	}
	if p.typ == nil {
		f.fail("%s of an object whose type is not asserted", name)
	}
	if name == "ObjectMeta" {
		return p
	}
	for _, meta := range []string{"ObjectMeta", ""} {
		at := p
		if meta != "" {
			if at = f.named(p, meta); at == nil {
				continue
			}
		}
		if at = f.named(at, name); at != nil {
			return at
		}
	}
	return nil
}

// named returns a field by its name, or nil.
func (f *frame) named(p *place, name string) *place {
	s, ok := deref(p.typ).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	i := slices.IndexFunc(slices.Collect(s.Fields()), func(v *types.Var) bool { return v.Name() == name })
	if i < 0 {
		return nil
	}
	return f.fieldOf(p, i)
}

// enter evaluates a function of the program.
func (f *frame) enter(c *closure, args [][]item, call *ssa.CallCommon) (out []item) {
	fn := f.prog.body(c.fn)
	if fn == nil {
		f.fail("a call of %s", c.fn.RelString(nil))
	}
	outs := f.run(&closure{fn, c.free}, args, call)
	if len(outs) == 0 {
		return nil // it panics
	}
	var ways []way
	for _, o := range outs {
		ways = append(ways, way{o.reach, o.value})
	}
	after := joined(outs)
	f.cells = after.cells
	if fn.Signature.Results().Len() == 0 {
		return nil
	}
	return merged(ways)
}

func (f *frame) builtin(name string, call *ssa.CallCommon) []item {
	var args [][]item
	for _, a := range call.Args {
		args = append(args, f.get(a))
	}
	switch name {
	case "len":
		return f.each([][]item{flat(args[0])}, func(vs []value) []item { return one(&length{vs[0]}) })
	case "append":
		if len(args) == 1 {
			return args[0]
		}
		return flat(f.each(args, func(vs []value) []item {
			l := f.list(vs[0])
			if l.sized {
				f.fail("an append to a list that is made with a length")
			}
			return one(&list{items: append(l.items[:len(l.items):len(l.items)], f.list(vs[1]).items...)})
		}))
	}
	f.fail("a call of %s", name)
	return nil
}

// ignored are packages of functions that do not change which keys there are.
var ignored = []string{"k8s.io/klog/v2", "github.com/go-logr/logr", "log", "log/slog", "sort", "k8s.io/apimachinery/pkg/util/runtime"}

// known evaluates the functions whose meaning is known, and reports whether this is one.
func (f *frame) known(fn *ssa.Function, args [][]item) ([]item, bool) {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	obj, _ := fn.Object().(*types.Func)
	if obj == nil || obj.Pkg() == nil {
		return nil, false
	}
	if recv := obj.Signature().Recv(); recv != nil && len(args) > 0 {
		p, ok := args[0][0].value.(*place)
		if ok && len(args[0]) == 1 {
			if v := f.getter(p, obj); v != nil {
				return one(v), true
			}
		}
	}
	name := obj.FullName()
	var do func(vs []value) value
	switch {
	case name == "fmt.Sprintf":
		do = f.format
	case name == "fmt.Sprint", name == "strconv.Itoa", name == "strconv.FormatBool":
		do = func(vs []value) value {
			if l, ok := vs[0].(*list); ok {
				return f.concat(f.plain(l)...)
			}
			return f.concat(vs[0])
		}
	case name == "strings.Join":
		do = f.join
	case name == "slices.Clone", name == "slices.Compact", name == "slices.Sort":
		do = func(vs []value) value { return vs[0] }
	case name == "fmt.Errorf", name == "errors.New", slices.Contains(ignored, obj.Pkg().Path()):
		return one(&opaque{"the result of " + name}), true
	default:
		return nil, false
	}
	return f.each(args, func(vs []value) []item { return one(do(vs)) }), true
}
