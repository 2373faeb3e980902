// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
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
	words  map[string][]string // constants; those that are compared with a field also by its name, keys of maps by mapKeys
	of     *function
	todo   []def
	seen   map[string]bool
}

// The words of mapKeys are the keys of maps, and "" if some are not constant.
const mapKeys = "[]"

// mention reads the source of the function, or says why it cannot run.
func (f *function) mention(in *source, syntax ast.Node) {
	f.Mentions = f.mentions()
	m := f.Mentions
	m.object(f.object)
	m.todo = []def{{in, syntax}}
	m.read()
	if slices.Contains(m.words[mapKeys], "") {
		m.words[mapKeys] = m.words[""]
	}
	if len(m.Types) == 0 {
		f.refuse(in, token.NoPos, "the type of the objects is not known")
	}
}

func (f *function) mentions() *mentions {
	return &mentions{of: f, fields: map[string]bool{}, words: map[string][]string{}, seen: map[string]bool{}}
}

// read reads the nodes of todo. It adds the declarations that they use, and stops after a hundred nodes.
func (m *mentions) read() {
	for i := 0; i < len(m.todo) && i < 100; i++ {
		if m.todo[i].Node != nil {
			m.node(m.todo[i].in, m.todo[i].Node)
		}
	}
}

func (m *mentions) node(s *source, n ast.Node) {
	for n := range ast.Preorder(n) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op.Precedence() == token.EQL.Precedence() {
				m.compared(s, n.X, n.Y)
			}
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				m.compared(s, append(c.(*ast.CaseClause).List, n.Tag)...)
			}
		case *ast.IndexExpr:
			if t := s.TypesInfo.TypeOf(n.X); t != nil && is[*types.Map](t) {
				key, _ := s.text(n.Index)
				m.word(mapKeys, key)
				m.fields[key] = true
			}
		case *ast.CompositeLit:
			var parts []string // of a GroupVersion
			for _, e := range values(n) {
				if text, _ := s.text(e); text != "" {
					parts = append(parts, text)
				}
			}
			if len(parts) > 1 {
				m.word("", parts[0]+"/"+parts[1])
			}
		case *ast.SelectorExpr:
			m.selected(s, n)
		case *ast.Ident:
			m.follow(s, s.TypesInfo.Uses[n], n.Pos())
		}
		if e, ok := n.(ast.Expr); ok {
			if t := s.TypesInfo.Types[e]; t.IsType() {
				m.object(rootType(t.Type))
			} else if t.Value != nil && t.Value.Kind() == constant.Int {
				m.word("", t.Value.ExactString())
			} else if text, _ := s.text(e); text != "" {
				m.word("", text)
			}
		}
	}
}

// object notes a type of objects.
func (m *mentions) object(t *types.Named) {
	if t != nil && !slices.ContainsFunc(m.Types, func(o *types.Named) bool { return fullName(o) == fullName(t) }) {
		m.Types = append(m.Types, t)
	}
}

// compared notes the constants in expressions as compared with the fields and the keys of maps in them.
func (m *mentions) compared(s *source, all ...ast.Expr) {
	if m != m.of.Mentions {
		return // it reads what is compared
	}
	in := m.of.mentions()
	for _, e := range all {
		in.todo = append(in.todo, def{s, e})
	}
	in.read()
	for _, name := range slices.Sorted(maps.Keys(in.fields)) { // so that each run tries the same objects
		for _, w := range in.words[""] {
			m.word(name, w)
		}
	}
}

func (m *mentions) word(name, text string) {
	name = strings.ToLower(name)
	if !slices.Contains(m.words[name], text) {
		m.words[name] = append(m.words[name], text)
	}
}

// selected notes a field or a method, and reads the methods of objects that an interface has.
func (m *mentions) selected(s *source, n *ast.SelectorExpr) {
	x, ok := s.TypesInfo.Selections[n]
	if !ok {
		return
	}
	of, embedded, isInterface := x.Recv(), x.Index()[:len(x.Index())-1], types.IsInterface(x.Recv())
	if t := named(of); t != nil && slices.Contains(m.of.zero, fullName(t)) &&
		(x.Kind() == types.FieldVal || len(embedded) > 0 || isInterface) && !logs.MatchString(x.Obj().Type().String()) {
		m.of.refuse(s, n.Pos(), "the function uses %s, which is set outside it", n.Sel.Name)
	}
	m.fields[strings.TrimPrefix(n.Sel.Name, "Get")] = true // as metav1.Object has them
	for _, i := range embedded {
		st, _ := gotypes.StructOf(of)
		of, m.fields[st.Field(i).Name()] = st.Field(i).Type(), true
	}
	for _, t := range m.Types {
		if method, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), n.Sel.Name); isInterface {
			m.follow(s, method, n.Pos())
		}
	}
}

// logs matches packages that write logs.
var logs = regexp.MustCompile("/(k?log|zap)")

// settings matches what reads the configuration of the program.
var settings = regexp.MustCompile(`^\(?\*?(os\.(Getenv|LookupEnv|Environ|Args)$|flag\.|github\.com/spf13/(pflag|viper)\.)`)

// follow has the declaration of a function or a variable read.
func (m *mentions) follow(by *source, obj types.Object, at token.Pos) {
	v, isVar := obj.(*types.Var)
	if _, isFunc := obj.(*types.Func); !isFunc && !isVar || obj.Pkg() == nil || isVar && v.IsField() ||
		m.seen[id(obj)] || logs.MatchString(obj.Pkg().Path()) {
		return
	}
	if m.seen[id(obj)] = true; settings.MatchString(id(obj)) {
		m.of.refuse(by, at, "the function depends on %s.%s", obj.Pkg().Name(), obj.Name())
	}
	s := by.prog.source(obj.Pkg().Path())
	if s == nil {
		return
	}
	defs := s.prog.defs[id(obj)]
	if s.own && obj.Parent() == obj.Pkg().Scope() && len(defs) > 1 {
		m.of.refuse(by, at, "the variable %s.%s, which the program changes", s.Name, obj.Name())
	}
	m.todo = append(m.todo, defs...)
}
