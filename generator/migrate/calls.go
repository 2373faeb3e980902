// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// called evaluates a call.
func (f *frame) called(x *ssa.Call) value {
	var args []value
	for _, v := range x.Call.Args {
		args = append(args, f.get(v))
	}
	if b, ok := x.Call.Value.(*ssa.Builtin); ok {
		return f.builtin(b.Name(), args)
	}
	call := &x.Call
	if fn := call.StaticCallee(); fn != nil {
		if v, ok := f.known(fn, args); ok {
			return v
		}
	}
	to := f.get(call.Value)
	what := describe(to)
	switch to := to.(type) {
	case *closure:
		return f.call(to, args, call)
	case *konst:
		f.stop()
	case *place:
		if !call.IsInvoke() {
			break
		} else if to.typ == nil {
			f.fail("%s of an object whose type is not asserted", call.Method.Name())
		}
		method, path, _ := types.LookupFieldOrMethod(to.typ, true, call.Method.Pkg(), call.Method.Name())
		if fn := f.prog.function(method); fn != nil {
			receiver := value(to)
			for _, i := range path[:len(path)-1] {
				receiver = f.fieldAddr(receiver, i)
			}
			return f.call(&closure{fn: fn}, append([]value{receiver}, args...), call)
		}
		what = call.Method.FullName()
	}
	f.fail("a call of %s", what)
	return nil
}

func (f *frame) builtin(name string, args []value) value {
	switch name {
	case "len":
		return &length{args[0]}
	case "append":
		return &list{append(slices.Clone(f.list(args[0]).items), f.list(args[1]).items...)}
	}
	f.fail("a call of %s", name)
	return nil
}

// ignored are packages of functions that do not change which keys there are.
var ignored = []string{"k8s.io/klog/v2", "github.com/go-logr/logr", "log", "log/slog", "sort", "k8s.io/apimachinery/pkg/util/runtime"}

// known evaluates the functions whose meaning is known, and reports whether this is one.
func (f *frame) known(fn *ssa.Function, args []value) (value, bool) {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	obj, _ := fn.Object().(*types.Func)
	if obj == nil || obj.Pkg() == nil {
		return nil, false
	}
	name := obj.FullName()
	switch {
	case name == "fmt.Sprintf":
		return f.format(args), true
	case name == "fmt.Sprint", name == "strconv.Itoa", name == "strconv.FormatBool":
		if l, ok := args[0].(*list); ok {
			if args = f.plain(l); len(args) != 1 {
				f.fail("fmt.Sprint of several values")
			}
		}
		return f.concat(f.printed(args[0])), true
	case name == "strings.Join":
		return f.join(args), true
	case name == "slices.Clone", name == "slices.Compact", name == "slices.Sort":
		return args[0], true
	case name == "fmt.Errorf", name == "errors.New", slices.Contains(ignored, obj.Pkg().Path()):
		return &unknown{"the result of " + name, true}, true
	}
	return nil, false
}
