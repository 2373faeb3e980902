// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// Read is a place where a program asks an index by a constant name.
type Read struct {
	Position
	Index string `json:"index"`
	kind  string // full name of the type of the objects; "" if the place does not tell
}

// asks reports whether a call gets the name of an index: of a method of client-go's Indexer, or of a field selector.
func (s *source) asks(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn := s.TypesInfo.Uses[sel.Sel]
	return fn != nil && fn.Pkg() != nil && (fn.Pkg().Path() == selectors && strings.HasPrefix(fn.Name(), "OneTerm") ||
		fn.Pkg().Path() == toolsCache && slices.Contains([]string{"ByIndex", "IndexKeys", "ListIndexFuncValues", "Index"}, fn.Name()))
}

// listed returns the full name of the type whose list is an argument of a call around, or "".
func (s *source) listed(around []ast.Node) string {
	for _, n := range slices.Backward(around) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		for _, arg := range call.Args {
			named, ok := types.Unalias(gotypes.Deref(s.TypesInfo.TypeOf(arg))).(*types.Named)
			if ok && strings.HasSuffix(named.Obj().Name(), "List") && !types.IsInterface(named) {
				return strings.TrimSuffix(fullName(named), "List")
			}
		}
	}
	return ""
}

// read returns the read whose name is the first string of some expressions, if it is constant.
func (s *source) read(at token.Pos, kind string, all []ast.Expr) []Read {
	i := slices.IndexFunc(all, func(e ast.Expr) bool { return gotypes.IsText(s.TypesInfo.TypeOf(e)) })
	if i < 0 {
		return nil
	}
	if index, ok := s.constantOf(all[i]); ok {
		return []Read{{s.prog.position(at), index, kind}}
	}
	return nil
}

func fullName(t *types.Named) string { return types.TypeString(t, nil) }

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
