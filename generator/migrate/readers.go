// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// Read is a place where a program asks an index by a constant name.
type Read struct {
	Position
	Index string `json:"index"`
	kind  string // of the objects; "" if the place does not tell
}

// asks reports whether a function is a method of client-go's Indexer that gets the name of an index.
func (s *source) asks(fun ast.Expr) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"ByIndex", "IndexKeys", "ListIndexFuncValues", "Index"}, sel.Sel.Name) {
		return false
	}
	fn, _ := s.info.Uses[sel.Sel].(*types.Func)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == toolsCache
}

// listed returns the kind of the objects in a list, or "".
func (s *source) listed(e ast.Expr) string {
	if t := s.info.TypeOf(e); t != nil {
		if named, ok := types.Unalias(gotypes.Deref(t)).(*types.Named); ok && strings.HasSuffix(named.Obj().Name(), "List") {
			return strings.TrimSuffix(named.Obj().Name(), "List")
		}
	}
	return ""
}

func (s *source) read(name ast.Expr, kind string) []Read {
	if index, ok := constantOf(s, name); ok {
		return []Read{{s.prog.position(name.Pos()), index, kind}}
	}
	return nil
}

// constantOf returns the value of a constant string.
func constantOf(s *source, e ast.Expr) (string, bool) {
	v := s.info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
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
