// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// used follows a name to its declaration.
func (m *mentions) used(s *source, id *ast.Ident, depth int) {
	obj := s.TypesInfo.Uses[id]
	if obj == nil || obj.Pkg() == nil || depth == 0 {
		return
	}
	switch obj.(type) {
	case *types.Func, *types.Var:
		m.follow(obj, id.Pos(), depth)
	}
}

// follow reads the declaration of a function or of a variable of a package.
func (m *mentions) follow(obj types.Object, at token.Pos, depth int) {
	key := obj.Pkg().Path() + "." + obj.Name()
	fn, isFunc := obj.(*types.Func)
	if isFunc {
		key = fn.Origin().FullName()
	}
	if m.seen[key] || strings.HasPrefix(obj.Pkg().Path(), "k8s.io/klog") || strings.Contains(obj.Pkg().Path(), "/log") {
		return
	}
	s := m.prog.source(obj.Pkg().Path())
	v, isVar := obj.(*types.Var)
	if s == nil || isVar && (v.IsField() || v.Parent() == nil) {
		return
	} else if isVar && v.Parent() != v.Pkg().Scope() { // of a function, perhaps that around
		key += fmt.Sprint(v.Pos())
		for _, value := range s.values[v] {
			if !m.seen[key] && value != nil {
				m.seen[key] = true
				m.read(s, value, depth-1)
			}
		}
		return
	}
	m.seen[key] = true
	if isFunc {
		if !s.own {
			depth = min(depth, 3)
		}
		if decl := s.decls[key]; decl != nil && decl.Body != nil {
			m.read(s, decl.Body, depth-1)
		}
		return
	}
	for _, by := range m.prog.sources {
		if s.own && by != nil && by.changed[key] && m.setting == nil {
			m.setting = &reason{fmt.Sprintf("the variable %s.%s, which the program changes", s.Name, obj.Name()), at}
		}
	}
	before := len(m.words[""])
	for _, init := range s.TypesInfo.InitOrder {
		if slices.ContainsFunc(init.Lhs, func(v *types.Var) bool { return v.Name() == obj.Name() }) {
			m.read(s, init.Rhs, depth-1)
		}
	}
	for _, group := range slices.Clone(m.words[""][before:]) { // as a GroupVersion
		for _, version := range slices.Clone(m.words[""][before:]) {
			if version != group && strings.HasPrefix(version, "v") && !strings.Contains(group+version, "/") {
				m.word("", group+"/"+version)
			}
		}
	}
}
