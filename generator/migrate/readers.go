// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// Read is a place where a program asks an index by a constant name.
type Read struct {
	Position
	Index string `json:"index"`
	kind  string // full name of the type of the objects; "" if the place does not tell
}

// asks reports whether an expression has the name of an index: a call of a method of client-go's Indexer or of a function
// that makes a field selector, or an entry of a map that is one.
func (s *source) asks(n ast.Node, of types.Type) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return declared(of, ctrl) == "MatchingFields" || declared(of, selectors) == "Set"
	}
	fn := typeutil.Callee(s.TypesInfo, call)
	return fn != nil && fn.Pkg() != nil && (fn.Pkg().Path() == selectors && strings.HasPrefix(fn.Name(), "OneTerm") ||
		fn.Pkg().Path() == toolsCache && slices.Contains([]string{"ByIndex", "IndexKeys", "ListIndexFuncValues", "Index"}, fn.Name()))
}

// read returns the read whose name is the first string of some expressions, if it is constant. Its kind is that of the
// list that a call around gets.
func (s *source) read(at token.Pos, around []ast.Node, all []ast.Expr) []Read {
	i := slices.IndexFunc(all, func(e ast.Expr) bool { return gotypes.IsText(s.TypesInfo.TypeOf(e)) })
	if i < 0 {
		return nil
	}
	index, ok := s.constantOf(all[i])
	if !ok {
		return nil
	}
	r := Read{Position: s.prog.position(at), Index: index}
	for _, n := range around { // innermost last
		call, _ := n.(*ast.CallExpr)
		for i := 0; call != nil && i < len(call.Args); i++ {
			list := named(s.TypesInfo.TypeOf(call.Args[i]))
			if list != nil && strings.HasSuffix(list.Obj().Name(), "List") && !types.IsInterface(list) {
				r.kind = strings.TrimSuffix(fullName(list), "List")
			}
		}
	}
	return []Read{r}
}

func fullName(t *types.Named) string { return types.TypeString(t, nil) }

// attach gives each answer its reads. Unregistered are those of indexes that nothing adds. Objects can be asked for by
// name and namespace without an index.
func (r *Report) attach(reads []Read) {
	for _, read := range reads {
		found := strings.HasPrefix(read.Index, "metadata.name")
		for _, a := range r.Indexes {
			if a.Index == read.Index && (read.kind == "" || a.object == nil || read.kind == fullName(a.object)) {
				a.Reads = append(a.Reads, read.Position)
				found = true
			}
		}
		if !found {
			r.Unregistered = append(r.Unregistered, read)
		}
	}
}
