// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// Read is a place where a program asks an index by a constant name.
type Read struct {
	Position
	Index string `json:"index"`
	kind  string // of the objects; "" if the place does not tell
}

// reads finds the places in the requested packages that ask an index.
func (p *program) reads() (out []Read) {
	for _, s := range p.requested {
		for _, file := range s.Syntax {
			kinds := map[ast.Expr]string{} // of the lists that literals select from
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					for _, arg := range n.Args {
						if len(n.Args) > 2 {
							kinds[arg] = s.listed(n.Args[1])
						}
					}
					out = append(out, s.asked(n)...)
				case *ast.CompositeLit:
					if types.TypeString(s.info.TypeOf(n), nil) == ctrlClient+".MatchingFields" {
						out = append(out, s.matching(n, kinds[n])...)
					}
				}
				return true
			})
		}
	}
	return out
}

// asked returns the reads of a call of client-go's Indexer.
func (s *source) asked(call *ast.CallExpr) []Read {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	fn, _ := s.info.Uses[sel.Sel].(*types.Func)
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	switch fn.Name() {
	case "ByIndex", "IndexKeys", "ListIndexFuncValues", "Index":
		if fn.Pkg().Path() == toolsCache {
			return s.read(call.Args[0], "")
		}
	}
	return nil
}

// listed returns the kind of the objects in a list, or "".
func (s *source) listed(e ast.Expr) string {
	if t := s.info.TypeOf(e); t != nil {
		if named, ok := types.Unalias(deref(t)).(*types.Named); ok && strings.HasSuffix(named.Obj().Name(), "List") {
			return strings.TrimSuffix(named.Obj().Name(), "List")
		}
	}
	return ""
}

func (s *source) matching(e *ast.CompositeLit, kind string) (out []Read) {
	for _, elt := range e.Elts {
		if pair, ok := elt.(*ast.KeyValueExpr); ok {
			out = append(out, s.read(pair.Key, kind)...)
		}
	}
	return out
}

func (s *source) read(name ast.Expr, kind string) []Read {
	v := s.info.Types[name].Value
	if v == nil || v.Kind() != constant.String {
		return nil
	}
	return []Read{{s.prog.short(s.position(name)), constant.StringVal(v), kind}}
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

// queries returns the line that asks an index, before and after.
func (a *Answer) queries(ix *Index) (before, after string) {
	_, kind, _ := strings.Cut(a.Type, ".")
	if a.Target == ClientGo {
		return fmt.Sprintf("indexer.ByIndex(%q, v)", a.Index), fmt.Sprintf("lister.By%s(v), with New%sCacheLister(indexer)", ix.Name, kind)
	}
	return fmt.Sprintf("c.List(ctx, &list, client.MatchingFields{%q: v})", a.Index), fmt.Sprintf("New%sReader(c).By%s(ctx, v)", kind, ix.Name)
}
