// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// call evaluates a call, whose operands are the function or the receiver, and the arguments.
func (f *frame) call(call *ssa.CallCommon, operands [][]item) []item {
	args := operands[1:]
	if fn := call.StaticCallee(); fn != nil {
		if v, ok := f.known(fn, args); ok {
			return v
		}
	}
	for i := range args {
		args[i] = flat(args[i])
	}
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return f.builtin(b.Name(), args)
	}
	return f.each(operands[:1], func(vs []value) []item {
		switch to := vs[0].(type) {
		case *closure:
			return f.enter(to, args, call)
		case *konst:
			return nil // it panics
		case *place:
			if !call.IsInvoke() {
				break
			} else if v := f.getter(to, call.Method); v != nil {
				return one(v)
			}
			method, _, _ := types.LookupFieldOrMethod(to.typ, true, call.Method.Pkg(), call.Method.Name())
			if fn := f.prog.function(method); fn != nil {
				return f.enter(&closure{fn: fn}, append([][]item{one(to)}, args...), call)
			}
			f.fail("a call of %s", call.Method.FullName())
		}
		f.fail("a call of %s", f.describe(vs[0]))
		return nil
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
	fn := c.fn
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if len(fn.Blocks) == 0 {
		fn = f.prog.function(fn.Object())
	}
	if fn == nil || len(fn.Blocks) == 0 {
		f.fail("a call of %s", c.fn.RelString(nil))
	}
	outs := f.run(&closure{fn, c.free}, args, call)
	if len(outs) == 0 {
		return nil // it panics
	}
	after := joined(outs)
	f.cells = after.cells
	if fn.Signature.Results().Len() == 0 {
		return nil
	}
	return merged(outs)
}

func (f *frame) builtin(name string, args [][]item) []item {
	if name != "len" && name != "append" {
		f.fail("a call of %s", name)
	}
	return flat(f.each(args, func(vs []value) []item {
		if name == "len" {
			return one(&length{vs[0]})
		}
		l := f.list(vs[0])
		if l.sized {
			f.fail("an append to a list that is made with a length")
		}
		return one(&list{items: append(slices.Clone(l.items), f.list(vs[1]).items...)})
	}))
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
