// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// mentions are what the source of a function mentions, and that of functions and variables that it uses.
type mentions struct {
	Types  []*types.Named      // of objects
	fields map[string]bool     // names in Go
	words  map[string][]string // constants; those that are compared with a field also by its name, keys of maps by keyed
	zero   []string            // types of variables around the function, which it gets with zero values
	seen   map[string]bool
	reason string // why the function cannot run
	at     *Position
}

// keyed has the keys of maps, and "" if some are not constant.
const keyed = "[]"

// mention reads the source of the function, or says why it cannot run.
func (f *function) mention(in *source, syntax ast.Node) {
	m := newMentions(f.zero...)
	if f.Mentions = m; f.object != nil {
		m.Types = append(m.Types, f.object)
	}
	m.read(in, syntax, 6)
	if slices.Contains(m.words[keyed], "") {
		m.words[keyed] = m.words[""]
	}
	for _, words := range m.words {
		slices.Sort(words) // so that each run tries the same objects
	}
	if f.At = m.at; len(m.Types) == 0 {
		m.reason = "the type of the objects is not known"
	}
	f.learned.Reason = cmp.Or(f.learned.Reason, m.reason)
}

func newMentions(zero ...string) *mentions {
	return &mentions{zero: zero, fields: map[string]bool{}, words: map[string][]string{}, seen: map[string]bool{}}
}

func (m *mentions) read(s *source, n ast.Node, depth int) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op != token.ADD && n.Op != token.LAND && n.Op != token.LOR {
				m.compared(s, depth, n.X, n.Y)
			}
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				m.compared(s, depth, append(c.(*ast.CaseClause).List, n.Tag)...)
			}
		case *ast.IndexExpr:
			if t := s.TypesInfo.TypeOf(n.X); t != nil && is[*types.Map](t) {
				key, _ := s.text(n.Index)
				m.word(keyed, key)
			}
		case *ast.SelectorExpr:
			m.selected(s, n)
		case *ast.Ident:
			m.follow(s, s.TypesInfo.Uses[n], n.Pos(), depth)
		}
		if e, ok := n.(ast.Expr); ok {
			if text, ok := s.text(e); ok && text != "" {
				m.word("", text)
			}
			t := s.TypesInfo.Types[e]
			root := rootType(t.Type)
			same := func(o *types.Named) bool { return fullName(o) == fullName(root) }
			if t.IsType() && root != nil && !slices.ContainsFunc(m.Types, same) {
				m.Types = append(m.Types, root)
			}
		}
		return true
	})
}

// usable matches what may be the value of a field, and the key of a map.
var usable = regexp.MustCompile(`^[^% \n"'\\]*[^% \n"'\\/:._-][^% \n"'\\]*$`)

// compared notes the constants in expressions as compared with the fields and the keys of maps in them.
func (m *mentions) compared(s *source, depth int, all ...ast.Expr) {
	in := newMentions()
	for _, e := range all {
		if v := s.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.Int {
			in.word("", v.ExactString())
		} else if e != nil {
			in.read(s, e, depth)
		}
	}
	for _, name := range append(slices.Collect(maps.Keys(in.fields)), in.words[keyed]...) {
		for _, w := range in.words[""] {
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

func (m *mentions) word(name, text string) {
	name = strings.ToLower(name)
	if (text == "" || usable.MatchString(text)) && !slices.Contains(m.words[name], text) {
		m.words[name] = append(m.words[name], text)
	}
}

// refuse notes why the function cannot run, and where, unless that is in a dependency.
func (m *mentions) refuse(s *source, at token.Pos, format string, args ...any) {
	if m.reason != "" {
		return
	}
	if m.reason = fmt.Sprintf(format, args...); s.own {
		at := s.prog.position(at)
		m.at = &at
	}
}

// selected notes a field, and the methods of objects that an interface has.
func (m *mentions) selected(s *source, n *ast.SelectorExpr) {
	x, ok := s.TypesInfo.Selections[n]
	if !ok {
		return
	}
	isField := x.Kind() == types.FieldVal
	if of := named(x.Recv()); of != nil && slices.Contains(m.zero, fullName(of)) &&
		(isField || len(x.Index()) > 1 || types.IsInterface(of)) && !logs.MatchString(x.Obj().Type().String()) {
		m.refuse(s, n.Pos(), "the function uses %s, which is set outside it", n.Sel.Name)
	}
	of := x.Recv()
	for _, i := range x.Index() { // with embedded ones
		if st, ok := gotypes.StructOf(of); ok && i < st.NumFields() {
			of, m.fields[st.Field(i).Name()] = st.Field(i).Type(), true
		}
	}
	if isField && s.own && !tried(x.Type()) {
		m.refuse(s, n.Pos(), "the field %s, of which no values are tried", n.Sel.Name)
	}
	if isField || !types.IsInterface(x.Recv()) {
		return
	}
	m.fields[strings.TrimPrefix(n.Sel.Name, "Get")] = true // as metav1.Object has them
	for _, t := range m.Types {
		method, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), n.Sel.Name)
		m.follow(s, method, n.Pos(), 3)
	}
}

// logs matches packages that write logs.
var logs = regexp.MustCompile("/(k?log|zap)")

// follow reads the declaration of a function or a variable.
func (m *mentions) follow(by *source, obj types.Object, at token.Pos, depth int) {
	v, isVar := obj.(*types.Var)
	if _, isFunc := obj.(*types.Func); !isFunc && !isVar || obj.Pkg() == nil || isVar && v.IsField() || depth == 0 {
		return
	}
	pkg, key := obj.Pkg(), id(obj)
	if m.seen[key] || logs.MatchString(pkg.Path()) {
		return
	}
	s := by.prog.source(pkg.Path())
	if m.seen[key] = true; s == nil {
		return
	}
	defs := by.prog.defs[key]
	if s.own && obj.Parent() == pkg.Scope() && len(defs) > 1 {
		m.refuse(by, at, "the variable %s.%s, which the program changes", s.Name, obj.Name())
	}
	before := len(m.words[""])
	for _, d := range defs {
		if d.Node != nil {
			m.read(d.in, d.Node, depth-1)
		}
	}
	for _, group := range m.words[""][before:] { // as a GroupVersion
		for _, version := range m.words[""][before:] {
			if isVar && version != group && strings.HasPrefix(version, "v") && !strings.Contains(group+version, "/") {
				m.word("", group+"/"+version)
			}
		}
	}
}

// tried reports whether random objects have different values of a type.
func tried(t types.Type) bool {
	if n := named(t); n != nil && strings.HasSuffix(n.Obj().Name(), "Time") {
		return gotypes.Deref(t) != t // it is nil or not
	} else if n != nil && slices.Contains([]string{"Quantity", "IntOrString", "Duration"}, n.Obj().Name()) {
		return false
	}
	switch t := gotypes.Deref(t).Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsFloat|types.IsComplex) == 0
	case *types.Slice:
		return !gotypes.IsBytes(t)
	case *types.Map:
		return gotypes.IsText(t.Key())
	}
	return is[*types.Struct](t)
}
