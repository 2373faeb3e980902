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
	kind  string // full name of the type of the objects; "" if the place does not tell
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

// listed returns the full name of the type whose list is in the call that gets v, also in a slice of options, or "".
func listed(v ssa.Value) (kind string) {
	for _, user := range *v.Referrers() {
		switch user := user.(type) {
		case ssa.CallInstruction:
			for _, arg := range user.Common().Args {
				named, ok := types.Unalias(gotypes.Deref(stripped(arg).Type())).(*types.Named)
				if ok && strings.HasSuffix(named.Obj().Name(), "List") && !types.IsInterface(named) {
					return strings.TrimSuffix(fullName(named), "List")
				}
			}
		case *ssa.Store:
			if at, ok := user.Addr.(*ssa.IndexAddr); ok && user.Val == v {
				kind = listed(at.X)
			}
		case *ssa.MakeInterface, *ssa.ChangeType, *ssa.Slice:
			kind = listed(user.(ssa.Value))
		}
		if kind != "" {
			return kind
		}
	}
	return ""
}

// read returns the read whose name is the first string of vs, if it is constant.
func (s *source) read(at token.Pos, kind string, vs []ssa.Value) []Read {
	i := slices.IndexFunc(vs, func(v ssa.Value) bool { return gotypes.IsText(v.Type()) })
	if i < 0 {
		return nil
	}
	if index, ok := constantOf(vs[i]); ok {
		return []Read{{s.prog.position(at), index, kind}}
	}
	return nil
}

func fullName(t *types.Named) string { return t.Obj().Pkg().Path() + "." + t.Obj().Name() }

// attach gives each answer its reads. It returns those of indexes that nothing adds. Objects can be asked for by name
// and namespace without an index.
func attach(answers []*Answer, reads []Read) (unregistered []Read) {
	for _, r := range reads {
		found := strings.HasPrefix(r.Index, "metadata.name")
		for _, a := range answers {
			if a.Index == r.Index && (r.kind == "" || a.object == nil || r.kind == fullName(a.object)) {
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
