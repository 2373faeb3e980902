// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// mentions are what the source of a function mentions, and that of functions and variables that it uses.
type mentions struct {
	prog    *program
	fields  map[string]bool     // names in Go
	words   map[string][]string // constants, by the field that they are compared with; "" has the others
	keys    map[string]bool     // constant keys of maps
	types   []*types.Named      // of objects
	zero    []string            // types of variables around the function, which it gets with zero values
	seen    map[string]bool
	anyKey  bool
	setting *reason // a variable that changes
}

// A reason says why a function does not get markers, and where.
type reason struct {
	what string
	at   token.Pos
}

// mentioned reads the source of an index function.
func (p *program) mentioned(r *registration, in *source, c *copied) *mentions {
	m := &mentions{prog: p, zero: c.zero, fields: map[string]bool{}, words: map[string][]string{}, keys: map[string]bool{}, seen: map[string]bool{}}
	if r.object != nil {
		m.types = append(m.types, rootType(r.object))
	}
	m.read(in, c.syntax, 6)
	for _, words := range m.words {
		slices.Sort(words) // so that each run tries the same objects
	}
	if m.anyKey {
		for _, w := range m.words[""] {
			m.keys[w] = true
		}
	}
	for key := range m.keys {
		if strings.ContainsAny(key, "'") {
			delete(m.keys, key)
		}
	}
	return m
}

func (m *mentions) read(s *source, n ast.Node, depth int) {
	compared := map[ast.Expr]string{} // constants, with the name of the field
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op != token.ADD {
				compared[n.X], compared[n.Y] = s.fieldIn(n.Y), s.fieldIn(n.X)
				m.compared(s, n.X, compared[n.X], depth)
				m.compared(s, n.Y, compared[n.Y], depth)
			}
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					if n.Tag != nil {
						compared[e] = s.fieldIn(n.Tag)
					}
				}
			}
		case *ast.IndexExpr:
			if t := s.TypesInfo.TypeOf(n.X); t != nil {
				if _, isMap := t.Underlying().(*types.Map); isMap {
					if key, ok := s.text(n.Index); ok {
						m.keys[key] = true
					} else {
						m.anyKey = true
					}
				}
			}
		case *ast.SelectorExpr:
			m.selected(s, n)
		case *ast.Ident:
			m.used(s, n, depth)
		}
		if e, ok := n.(ast.Expr); ok {
			if name, isCompared := compared[e]; isCompared || s.TypesInfo.Types[e].Value != nil {
				m.constant(s, e, name)
			}
			if t := s.TypesInfo.Types[e]; t.IsType() {
				named := rootType(t.Type)
				same := func(o *types.Named) bool { return fullName(o) == fullName(named) }
				if named != nil && !slices.ContainsFunc(m.types, same) {
					m.types = append(m.types, named)
				}
			}
		}
		return true
	})
}

// compared notes the constants in the variables of an expression that is compared with a field, such as a GroupVersion.
func (m *mentions) compared(s *source, e ast.Expr, name string, depth int) {
	if name == "" || s.fieldIn(e) != "" || s.TypesInfo.Types[e].Value != nil {
		return
	}
	in := &mentions{prog: m.prog, fields: map[string]bool{}, words: map[string][]string{}, keys: map[string]bool{}, seen: map[string]bool{}}
	in.read(s, e, depth)
	for _, all := range in.words {
		for _, w := range all {
			m.word(name, w)
		}
	}
}

// text returns the value of a constant string.
func (s *source) text(e ast.Expr) (string, bool) {
	if v := s.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v), true
	}
	return "", false
}

// fieldIn returns the name of the first field, or key of a map, in an expression.
func (s *source) fieldIn(e ast.Expr) (name string) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if key, ok := s.text(n.Index); ok && name == "" {
				name = key
			}
		case *ast.SelectorExpr:
			if x, ok := s.TypesInfo.Selections[n]; ok && name == "" && x.Kind() == types.FieldVal {
				name = n.Sel.Name
			}
		}
		return name == ""
	})
	return name
}

// constant notes a constant.
func (m *mentions) constant(s *source, e ast.Expr, name string) {
	v := s.TypesInfo.Types[e].Value
	if v == nil {
		return
	}
	text := v.ExactString()
	switch v.Kind() {
	case constant.String:
		if text = constant.StringVal(v); text == "" || strings.ContainsAny(text, "% \n\x22\\") || strings.Trim(text, "/-:._") == "" {
			return
		}
	case constant.Int:
		if name == "" {
			return
		}
	default:
		return
	}
	m.word(name, text)
}

func (m *mentions) word(name, text string) {
	name = strings.ToLower(name)
	if !slices.Contains(m.words[name], text) {
		m.words[name] = append(m.words[name], text)
	}
}

// selected notes a field, and the methods of objects that an interface has.
func (m *mentions) selected(s *source, n *ast.SelectorExpr) {
	x, ok := s.TypesInfo.Selections[n]
	if !ok {
		return
	}
	isField := x.Kind() == types.FieldVal
	if of, ok := types.Unalias(gotypes.Deref(x.Recv())).(*types.Named); ok && slices.Contains(m.zero, fullName(of)) &&
		(isField || len(x.Index()) > 1 || types.IsInterface(of)) && !logs(x.Obj().Type()) && m.setting == nil {
		m.setting = &reason{fmt.Sprintf("the function uses %s, which is set outside it", n.Sel.Name), n.Pos()}
		if !s.own {
			m.setting.at = token.NoPos
		}
	}
	of := x.Recv()
	for _, i := range x.Index() { // with embedded ones
		if st, ok := gotypes.StructOf(of); ok && i < st.NumFields() {
			of, m.fields[st.Field(i).Name()] = st.Field(i).Type(), true
		}
	}
	if isField && s.own && m.setting == nil && !tried(x.Type()) {
		m.setting = &reason{fmt.Sprintf("the field %s, of which no values are tried", n.Sel.Name), n.Pos()}
	}
	if isField || !types.IsInterface(x.Recv()) {
		return
	}
	m.fields[strings.TrimPrefix(n.Sel.Name, "Get")] = true // as metav1.Object has them
	for _, t := range m.types {
		if method, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), n.Sel.Name); method != nil {
			m.follow(method, n.Pos(), 3)
		}
	}
}

// logs reports whether a type, or what a method returns, is declared in a package for logs.
func logs(t types.Type) bool {
	if method, ok := t.(*types.Signature); ok && method.Results().Len() == 1 {
		t = method.Results().At(0).Type()
	}
	named, ok := types.Unalias(gotypes.Deref(t)).(*types.Named)
	return ok && named.Obj().Pkg() != nil && regexp.MustCompile(`/(log|zap)`).MatchString(named.Obj().Pkg().Path())
}

// tried reports whether random objects have different values of a type.
func tried(t types.Type) bool {
	named, ok := types.Unalias(gotypes.Deref(t)).(*types.Named)
	if ok && slices.Contains([]string{"Quantity", "IntOrString", "Duration"}, named.Obj().Name()) {
		return false
	} else if ok && strings.HasSuffix(named.Obj().Name(), "Time") {
		_, isPointer := t.Underlying().(*types.Pointer)
		return isPointer // it is nil or not
	}
	switch t := gotypes.Deref(t).Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsFloat|types.IsComplex) == 0
	case *types.Slice:
		return !gotypes.IsBytes(t)
	case *types.Map:
		return gotypes.IsText(t.Key())
	case *types.Struct:
		return true
	}
	return false
}
