// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// Read is a place where a program asks an index by a constant name.
type Read struct {
	Position
	Index string `json:"index"`
	kind  string // of the objects; "" if the place does not tell
}

// asks reports whether a call is of a method of client-go's Indexer that gets the name of an index.
func asks(call *ssa.CallCommon) bool {
	method := call.Method
	if fn := call.StaticCallee(); fn != nil {
		method, _ = fn.Object().(*types.Func)
	}
	return method != nil && method.Pkg() != nil && method.Pkg().Path() == toolsCache &&
		slices.Contains([]string{"ByIndex", "IndexKeys", "ListIndexFuncValues", "Index"}, method.Name())
}

// listed returns the kind of the objects in the list that the next call with a list gets, or "".
func listed(from ssa.Instruction) string {
	all := from.Block().Instrs
	for _, instr := range all[slices.Index(all, from):] {
		if call, ok := instr.(ssa.CallInstruction); ok {
			for _, arg := range call.Common().Args {
				named, ok := types.Unalias(gotypes.Deref(stripped(arg).Type())).(*types.Named)
				if ok && strings.HasSuffix(named.Obj().Name(), "List") {
					return strings.TrimSuffix(named.Obj().Name(), "List")
				}
			}
		}
	}
	return ""
}

// read returns the read whose name is the first constant of vs.
func (s *source) read(at token.Pos, kind string, vs []ssa.Value) []Read {
	for _, v := range vs {
		if index, ok := constantOf(v); ok {
			return []Read{{s.prog.position(at), index, kind}}
		}
	}
	return nil
}

// attach gives each answer its reads. It returns those of indexes that nothing adds. Objects can be asked for by name
// and namespace without an index.
func attach(answers []*Answer, reads []Read) (unregistered []Read) {
	for _, r := range reads {
		found := strings.HasPrefix(r.Index, "metadata.name")
		for _, a := range answers {
			if a.Index == r.Index && (r.kind == "" || strings.HasSuffix(a.Type, "."+r.kind)) {
				a.Reads = append(a.Reads, r.Position)
				found = true
			}
		}
		if !found {
			unregistered = append(unregistered, r)
		}
	}
	return unregistered
}
