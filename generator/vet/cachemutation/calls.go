// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/handlers"
)

// call follows a call: what it writes, and what its results refer to.
func (f *function) call(instr ssa.CallInstruction) {
	common := instr.Common()
	result := instr.Value()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		f.builtin(b.Name(), common.Args, instr, result)
		return
	}
	args := common.Args
	if common.IsInvoke() {
		args = append([]ssa.Value{common.Value}, args...)
	}
	if closure, ok := common.Value.(*ssa.MakeClosure); ok {
		args = append(args[:len(args):len(args)], closure.Bindings...)
	}
	if source := f.source(common, result); source != nil {
		f.apply(source, instr, args, result, nil)
		return
	}
	if callee := called(common); callee != nil {
		f.apply(f.summaryOf(common, callee), instr, args, result, callee)
		return
	}
	if fn := common.StaticCallee(); fn != nil {
		f.apply(f.summaries[fn], instr, args, result, nil)
		return
	}
	f.callback(common)
}

// called returns the function or method that a call names.
func called(common *ssa.CallCommon) *types.Func {
	if common.IsInvoke() {
		return common.Method.Origin()
	}
	fn := common.StaticCallee()
	if fn == nil {
		return nil
	}
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	object, _ := fn.Object().(*types.Func)
	return object
}

// apply applies the summary of a callee to the arguments and the result of a call.
func (f *function) apply(s *summary, instr ssa.Instruction, args []ssa.Value, result ssa.Value, callee *types.Func) {
	if s.empty() {
		return
	}
	place := f.place(instr.Pos())
	for _, w := range s.Writes {
		if w.Param >= len(args) || args[w.Param] == nil || !mayHave(args[w.Param], w.At) {
			continue
		}
		pos, steps := instr.Pos(), w.Way
		if callee != nil {
			steps = append([]step{{"passed to " + nameOf(callee), place}}, steps...)
		} else if w.pos.IsValid() {
			pos = w.pos // inside a function literal
		}
		for l, way := range f.contents(args[w.Param], instr) {
			if l, ok := l.follow(w.At); ok && l.in == "" {
				f.write(l, way, pos, steps...)
			}
		}
	}
	for _, flow := range s.Flows {
		if flow.From == fromCache {
			steps := flow.Way
			if callee != nil && len(steps) > 0 {
				steps = append(steps[:len(steps):len(steps)], step{"returned by " + nameOf(callee), place})
			}
			o := f.addOrigin(origin{param: fromCache, way: (*way)(nil).then(steps...)})
			f.arrive(label{origin: o}, f.origins[o].way, flow, args, result)
			continue
		}
		if flow.From >= len(args) || args[flow.From] == nil || !mayHave(args[flow.From], flow.At) {
			continue
		}
		for l, w := range f.contents(args[flow.From], instr) {
			if l, ok := l.follow(flow.At); ok {
				if callee != nil && flow.To >= 0 && f.origins[l.origin].param == fromCache {
					w = w.then(step{"through " + nameOf(callee), place})
				}
				f.arrive(l, w, flow, args, result)
			}
		}
	}
}

// mayHave reports whether an argument may have a path: a typed object does not have that of unstructured ones.
func mayHave(arg ssa.Value, p path) bool {
	if !strings.Contains(string(p), string(untyped)) {
		return true
	}
	for {
		switch v := arg.(type) {
		case *ssa.ChangeInterface:
			arg = v.X
			continue
		case *ssa.MakeInterface:
			_, name := handlers.Named(v.X.Type())
			return strings.HasPrefix(name, "Unstructured")
		}
		return true
	}
}

// arrive adds a label where a flow ends.
func (f *function) arrive(l label, w *way, to flow, args []ssa.Value, result ssa.Value) {
	in := to.In
	if to.To >= 0 {
		if result == nil {
			return
		}
		if _, several := result.Type().(*types.Tuple); several {
			in = field(to.To) + in
		}
		if l, ok := l.within(in); ok {
			f.add(result, l, w)
		}
		return
	}
	if i := toParam(to.To); i < len(args) && args[i] != nil {
		if l, ok := l.within(in); ok && l.in != "" {
			f.hold(args[i], l, w)
		}
	}
}

func (f *function) builtin(name string, args []ssa.Value, instr ssa.Instruction, result ssa.Value) {
	switch name {
	case "append":
		if s, ok := args[0].(*ssa.Slice); ok && s.High != nil && s.Max == nil {
			f.writes(s, f.order[s], instr.Pos(), "appends to a part of "+described(s.X)+", which overwrites the rest")
		}
		for _, arg := range args {
			f.copy(result, arg, to(elem), within(elem))
		}
	case "copy":
		f.writes(args[0], f.order[args[0]], instr.Pos(), "copies to "+described(args[0]))
		for _, l := range f.order[args[1]] {
			if l, ok := l.to(elem); ok {
				f.hold(args[0], label{l.origin, l.at, l.offset, elem + l.in}, f.labels[args[1]][l])
			}
		}
	case "delete", "clear":
		f.writes(args[0], f.order[args[0]], instr.Pos(), name+"s from "+described(args[0]))
	case "ssa:wrapnilchk":
		f.copy(result, args[0])
	}
}

// source returns what a call yields if it reads a cache: one of a lister, of a client without copies, or of ours.
func (f *function) source(common *ssa.CallCommon, result ssa.Value) *summary {
	callee := called(common)
	if callee == nil || callee.Pkg() == nil {
		return nil
	}
	if s := f.uncopied(common, callee); s != nil {
		return s
	}
	if result == nil || !f.reads(common, callee) {
		return nil
	}
	s := &summary{}
	for _, in := range f.types.objectsIn(result.Type()) {
		to := 0
		if _, several := result.Type().(*types.Tuple); several {
			var first path
			first, in = in.cut()
			to = int([]rune(first)[0]) - 0x100
		}
		s.addFlow(flow{From: fromCache, To: to, In: in, Way: []step{{nameOf(callee), f.place(common.Pos())}}})
	}
	return s
}

const ours = "github.com/indexer-gen/indexer-gen/runtime/"

// reads reports whether a function is a method of a lister, or of our stores.
func (f *function) reads(common *ssa.CallCommon, callee *types.Func) bool {
	if strings.Contains(callee.Name(), "Copy") {
		return false
	}
	switch handlers.Path(callee.Pkg()) {
	case ours + "lister", ours + "store":
		return true
	}
	recv := callee.Signature().Recv()
	if recv == nil {
		return false
	}
	_, name := handlers.Named(recv.Type())
	if !strings.HasSuffix(name, "Lister") || !common.IsInvoke() && !inTable(callee.Pkg()) {
		return false
	}
	for _, imported := range callee.Pkg().Imports() {
		switch handlers.Path(imported) {
		case "k8s.io/client-go/tools/cache", "k8s.io/client-go/listers", ours + "lister":
			return true
		}
	}
	return false
}

// uncopied returns what Get or List of controller-runtime fills in if an option says that objects are not copied. The
// struct is a copy and shares its maps, slices and pointers.
func (f *function) uncopied(common *ssa.CallCommon, callee *types.Func) *summary {
	name := callee.Name()
	if handlers.Path(callee.Pkg()) != "sigs.k8s.io/controller-runtime/pkg/client" || name != "Get" && name != "List" || len(common.Args) < 3 {
		return nil
	}
	options, ok := common.Args[len(common.Args)-1].(*ssa.Slice)
	if !ok || !hasOption(options.X) {
		return nil
	}
	object := len(common.Args) - 2
	in := deref
	if name == "List" {
		in += items(common.Args[object])
	}
	if common.IsInvoke() {
		object++
	}
	way := []step{{nameOf(callee) + " with UnsafeDisableDeepCopy", f.place(common.Pos())}}
	return &summary{Flows: []flow{{From: fromCache, To: toParam(object), In: in, Way: way}}}
}

// hasOption reports whether UnsafeDisableDeepCopy is among the options that are stored to an array.
func hasOption(array ssa.Value) bool {
	for _, use := range *array.Referrers() {
		element, ok := use.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *element.Referrers() {
			s, ok := use.(*ssa.Store)
			if !ok {
				continue
			}
			if option, ok := s.Val.(*ssa.MakeInterface); ok {
				if _, name := handlers.Named(option.X.Type()); strings.HasPrefix(name, "UnsafeDisableDeepCopy") || setsOption(option.X) {
					return true
				}
			}
		}
	}
	return false
}

// setsOption reports whether the field of that name is set in a struct of options.
func setsOption(v ssa.Value) bool {
	if v.Referrers() == nil {
		return false
	}
	for _, use := range *v.Referrers() {
		if field, ok := use.(*ssa.FieldAddr); ok && fieldOf(field).Name() == "UnsafeDisableDeepCopy" {
			return true
		}
	}
	return false
}

// items returns the path from a list to the objects in its field Items.
func items(list ssa.Value) path {
	if i, ok := list.(*ssa.MakeInterface); ok {
		list = i.X
	}
	if p, ok := list.Type().Underlying().(*types.Pointer); ok {
		if s, ok := p.Elem().Underlying().(*types.Struct); ok {
			for i := range s.NumFields() {
				if s.Field(i).Name() == "Items" {
					return field(i) + elem
				}
			}
		}
	}
	return some + elem
}
