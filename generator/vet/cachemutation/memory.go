// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// store is an instruction that may change what an address has.
type store struct {
	address address
	instr   ssa.Instruction
	value   ssa.Value // nil if it is not known
}

// address is a place in memory, as far as the text of the function names it.
type address struct {
	root  ssa.Value
	path  path
	index [2]ssa.Value // of the last element
}

// addressOf returns the place that an address names. Fields of a field are one path.
func addressOf(v ssa.Value) address {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		a := addressOf(v.X)
		a.path += field(v.Field)
		return a
	case *ssa.IndexAddr:
		a := addressOf(v.X)
		return address{a.root, a.path + elem, [2]ssa.Value{a.index[0], v.Index}}
	case *ssa.UnOp:
		a := addressOf(v.X)
		a.path += deref
		return a
	}
	return address{root: v}
}

func (f *function) findStores() {
	for _, block := range f.fn.Blocks {
		for _, instr := range block.Instrs {
			switch i := instr.(type) {
			case *ssa.Store:
				f.stores = append(f.stores, store{addressOf(i.Addr), i, i.Val})
			case *ssa.MakeClosure:
				for _, b := range i.Bindings {
					f.stores = append(f.stores, store{addressOf(b), i, nil})
				}
			case ssa.CallInstruction:
				for _, arg := range i.Common().Args {
					if _, ok := arg.(*ssa.Alloc); ok {
						f.stores = append(f.stores, store{addressOf(arg), i, nil})
					}
				}
			}
		}
	}
}

// load adds what a load finds.
func (f *function) load(i *ssa.UnOp) {
	if s, rest := f.reaching(addressOf(i.X), i); s != nil {
		f.copy(i, s.value, func(l label) (label, bool) { return l.follow(rest) })
		return
	}
	f.copy(i, i.X, func(l label) (label, bool) { return l, !f.storedElsewhere(l, i) }, label.load)
}

// storedElsewhere reports whether an address has a label only by stores from which control does not reach a load.
func (f *function) storedElsewhere(l label, i *ssa.UnOp) (elsewhere bool) {
	a := addressOf(i.X)
	if _, again := a.root.(*ssa.FreeVar); again { // the literal may be called again
		return false
	}
	for n := range f.stores {
		s := &f.stores[n]
		if s.value == nil || s.address != a {
			continue
		}
		for stored := range f.labels[s.value] {
			if stored, ok := stored.within(deref); !ok || stored != l {
				continue
			}
			from, to := s.instr.Block(), i.Block()
			if reaches(from, to, nil) || from == to && position(s.instr) < position(i) {
				return false
			}
			elsewhere = true
		}
	}
	return elsewhere
}

// contents returns the labels of an argument. A variable whose address is passed has those of its last store alone.
func (f *function) contents(v ssa.Value, at ssa.Instruction) map[label]*way {
	if _, ok := v.(*ssa.Alloc); ok {
		if s, rest := f.reaching(addressOf(v), at); s != nil && rest == "" {
			now := map[label]*way{}
			for l, w := range f.labels[s.value] {
				if l, ok := l.within(deref); ok {
					now[l] = w
				}
			}
			return now
		}
	}
	return f.labels[v]
}

// reaching returns the store that alone can have set what is loaded from an address, and the fields of it that are
// loaded. Without it, a field that is replaced by its copy would keep what it had.
func (f *function) reaching(a address, at ssa.Instruction) (*store, path) {
	var last *store
	for n := range f.stores {
		s := &f.stores[n]
		if s.value == nil || s.instr == at || !covers(s.address, a) || !before(s, a, at) {
			continue
		}
		if last == nil || before(last, a, s.instr) {
			last = s
		}
	}
	if last == nil {
		return nil, ""
	}
	for n := range f.stores {
		s := &f.stores[n]
		if s != last && s.instr != at && overlap(s.address, a) && between(last, s, at) {
			return nil, ""
		}
	}
	return last, a.path[len(last.address.path):]
}

// covers reports whether a store sets all that is loaded: the same place, or a struct with the field.
func covers(s, a address) bool {
	rest, ok := strings.CutPrefix(string(a.path), string(s.path))
	return ok && s.root == a.root && !strings.ContainsFunc(rest, func(step rune) bool { return step < 0x100 })
}

// overlap reports whether a store may change what is loaded.
func overlap(s, a address) bool { return covers(s, a) || covers(a, s) }

// before reports whether a store is always executed before an instruction. A loop that sets all elements is,
// if the instruction comes after it.
func before(s *store, a address, at ssa.Instruction) bool {
	b, c := s.instr.Block(), at.Block()
	if s.address.index == a.index {
		if b == c {
			return position(s.instr) < position(at)
		}
		return b.Dominates(c)
	}
	return b != c && reaches(b, c, nil) && !reaches(c, b, nil)
}

// between reports whether other may be executed after s and before at.
func between(s, other *store, at ssa.Instruction) bool {
	from, mid, to := s.instr.Block(), other.instr.Block(), at.Block()
	switch {
	case mid == from && position(other.instr) > position(s.instr):
		return from != to || position(at) < position(s.instr) || position(other.instr) < position(at)
	case mid == from:
		return false // s follows
	case mid == to && position(other.instr) < position(at):
		return true
	}
	return reaches(from, mid, nil) && reaches(mid, to, from)
}

func position(instr ssa.Instruction) int { return slices.Index(instr.Block().Instrs, instr) }

// reaches reports whether control can flow from the end of a block to another without passing a third.
func reaches(from, to, avoiding *ssa.BasicBlock) bool {
	seen := make([]bool, len(from.Parent().Blocks))
	todo := slices.Clone(from.Succs)
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b == to {
			return true
		}
		if !seen[b.Index] && b != avoiding {
			seen[b.Index] = true
			todo = append(todo, b.Succs...)
		}
	}
	return false
}

// keep records that memory to which v refers has a value, at p from v.
func (f *function) keep(v, value ssa.Value, p path) {
	for _, l := range f.order[value] {
		if kept, ok := l.within(p); ok {
			f.hold(v, kept, f.labels[value][l])
		}
	}
}

// hold adds a label to a value that refers to memory, and to the values from which that reference came.
func (f *function) hold(v ssa.Value, l label, w *way) {
	if l.in.steps() > longest || !f.add(v, l, w) {
		return
	}
	inner := func(p path) label {
		_, rest := l.in.cut()
		return label{l.origin, l.at, l.offset, p + rest}
	}
	switch i := v.(type) {
	case *ssa.FieldAddr:
		f.hold(i.X, inner(deref+field(i.Field)), w)
	case *ssa.IndexAddr:
		if isSlice(i.X) {
			f.hold(i.X, inner(elem), w)
		} else {
			f.hold(i.X, inner(deref+elem), w)
		}
	case *ssa.Slice:
		if isSlice(i.X) {
			f.hold(i.X, l, w)
		} else {
			f.hold(i.X, inner(deref+elem), w)
		}
	case *ssa.UnOp:
		f.hold(i.X, label{l.origin, l.at, l.offset, deref + l.in}, w)
		if s, rest := f.reaching(addressOf(i.X), i); s != nil && rest == "" {
			f.hold(s.value, l, w)
		}
	case *ssa.Lookup:
		if !i.CommaOk {
			f.hold(i.X, label{l.origin, l.at, l.offset, elem + l.in}, w)
		}
	case *ssa.Phi:
		for _, edge := range i.Edges {
			f.hold(edge, l, w)
		}
	case *ssa.ChangeType:
		f.hold(i.X, l, w)
	case *ssa.MakeInterface:
		f.hold(i.X, l, w)
	case *ssa.ChangeInterface:
		f.hold(i.X, l, w)
	case *ssa.TypeAssert:
		if !i.CommaOk {
			f.hold(i.X, l, w)
		}
	case *ssa.MakeClosure, *ssa.Function:
		f.deliver(v, l, w)
	case *ssa.Alloc: // a variable that has a function
		for _, s := range f.stores {
			if called, ok := strings.CutPrefix(string(l.in), string(deref+yield)); ok && s.address == (address{root: v}) && s.value != nil {
				f.hold(s.value, label{l.origin, l.at, l.offset, yield + path(called)}, w)
			}
		}
	case *ssa.Parameter:
		f.flows(l, toParam(slices.Index(f.fn.Params, i)), l.in, w)
	case *ssa.FreeVar:
		f.flows(l, toParam(len(f.fn.Params)+slices.Index(f.fn.FreeVars, i)), l.in, w)
	}
}
