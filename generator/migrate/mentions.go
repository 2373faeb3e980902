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

// sourceMentions are what the source of a function mentions, and that of functions and variables that it uses.
type sourceMentions struct {
	Types                 []*types.Named      // of objects
	fieldNames            map[string]bool     // names in Go
	constantsByLowerField map[string][]string // constants; those that are compared with a field also by its name, keys of maps by mapKeysField
	function              *indexFunction
	definitions           []definition
	seenIDs               map[string]bool
}

// The constants of mapKeysField are the keys of maps, and "" if some are not constant.
const mapKeysField = "[]"

// readMentions reads the source of the function, or says why it cannot run.
func (f *indexFunction) readMentions() {
	f.Mentions = f.emptyMentions()
	m := f.Mentions
	m.addMentionedType(f.objectType)
	m.definitions = []definition{{f.pkg, f.funcExpr}}
	m.readDefinitions()
	if slices.Contains(m.constantsByLowerField[mapKeysField], "") {
		m.constantsByLowerField[mapKeysField] = m.constantsByLowerField[""]
	}
	if f.objectType != nil {
		m.Types = m.Types[:1]
	} else if len(m.Types) == 0 {
		f.setReasonIfEmpty(f.pkg, token.NoPos, "the type of the objects is not known")
	}
}

func (f *indexFunction) emptyMentions() *sourceMentions {
	return &sourceMentions{function: f, fieldNames: map[string]bool{}, constantsByLowerField: map[string][]string{}, seenIDs: map[string]bool{}}
}

// maxDefinitions is enough for what functions use themselves, and not for a whole library that one of them calls.
const maxDefinitions = 100

// readDefinitions reads definitions. It adds those that they use, and stops after the first maxDefinitions.
func (m *sourceMentions) readDefinitions() {
	for i := 0; i < len(m.definitions) && i < maxDefinitions; i++ {
		if m.definitions[i].Node != nil {
			m.readNode(m.definitions[i].pkg, m.definitions[i].Node)
		}
	}
}

func (m *sourceMentions) readNode(s *sourcePackage, n ast.Node) {
	for n := range ast.Preorder(n) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op.Precedence() == token.EQL.Precedence() {
				m.addConstantsOfComparison(s, n.X, n.Y)
			}
		case *ast.SwitchStmt:
			for _, c := range n.Body.List {
				m.addConstantsOfComparison(s, append(c.(*ast.CaseClause).List, n.Tag)...)
			}
		case *ast.IndexExpr:
			if t := s.TypesInfo.TypeOf(n.X); t != nil && hasDereferencedUnderlying[*types.Map](t) {
				key, _ := s.constantString(n.Index)
				m.addConstant(mapKeysField, key)
				m.fieldNames[key] = true
			}
		case *ast.CompositeLit:
			var parts []string // of a GroupVersion
			for _, e := range literalValues(n) {
				if text, _ := s.constantString(e); text != "" {
					parts = append(parts, text)
				}
			}
			if len(parts) > 1 {
				m.addConstant("", parts[0]+"/"+parts[1])
			}
		case *ast.SelectorExpr:
			m.readOrRefuseSelector(s, n)
		case *ast.Ident:
			m.followOrRefuseDefinitions(s, s.TypesInfo.Uses[n], n.Pos())
		}
		if e, ok := n.(ast.Expr); ok {
			if t := s.TypesInfo.Types[e]; t.IsType() {
				m.addMentionedType(objectTypeOfPointer(t.Type))
			} else if t.Value != nil && t.Value.Kind() == constant.Int {
				m.addConstant("", t.Value.ExactString())
			} else if text, _ := s.constantString(e); text != "" {
				m.addConstant("", text)
			}
		}
	}
}

// addMentionedType notes a type of objects.
func (m *sourceMentions) addMentionedType(t *types.Named) {
	if t != nil && !slices.ContainsFunc(m.Types, func(o *types.Named) bool { return fullTypeName(o) == fullTypeName(t) }) {
		m.Types = append(m.Types, t)
	}
}

// addConstantsOfComparison notes the constants in expressions as compared with the fields and the keys of maps in them.
func (m *sourceMentions) addConstantsOfComparison(s *sourcePackage, all ...ast.Expr) {
	if m != m.function.Mentions {
		return // it reads what is compared
	}
	in := m.function.emptyMentions()
	for _, e := range all {
		in.definitions = append(in.definitions, definition{s, e})
	}
	in.readDefinitions()
	for _, name := range slices.Sorted(maps.Keys(in.fieldNames)) { // so that each run tries the same objects
		for _, w := range in.constantsByLowerField[""] {
			m.addConstant(name, w)
		}
	}
}

func (m *sourceMentions) addConstant(fieldName, text string) {
	fieldName = strings.ToLower(fieldName)
	if !slices.Contains(m.constantsByLowerField[fieldName], text) {
		m.constantsByLowerField[fieldName] = append(m.constantsByLowerField[fieldName], text)
	}
}

// readOrRefuseSelector notes a field or a method, and reads the methods of objects that an interface has.
func (m *sourceMentions) readOrRefuseSelector(s *sourcePackage, n *ast.SelectorExpr) {
	x, ok := s.TypesInfo.Selections[n]
	if !ok {
		return
	}
	of, embedded, isInterface := x.Recv(), x.Index()[:len(x.Index())-1], types.IsInterface(x.Recv())
	if t := dereferencedNamedType(of); t != nil && slices.Contains(m.function.zeroVarTypes, fullTypeName(t.Origin())) &&
		(x.Kind() == types.FieldVal || len(embedded) > 0 || isInterface) && !loggingPackage.MatchString(x.Obj().Type().String()) {
		m.function.setReasonIfEmpty(s, n.Pos(), "the function uses %s, which is set outside it", n.Sel.Name)
	}
	m.fieldNames[strings.TrimPrefix(n.Sel.Name, "Get")] = true // as metav1.Object has them
	for _, i := range embedded {
		st, _ := gotypes.StructOf(of)
		of, m.fieldNames[st.Field(i).Name()] = st.Field(i).Type(), true
	}
	for _, t := range m.Types {
		if method, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), n.Sel.Name); isInterface {
			m.followOrRefuseDefinitions(s, method, n.Pos())
		}
	}
}

// loggingPackage matches packages that write logs. Kinds of API objects are in some packages below logging.
var loggingPackage = regexp.MustCompile(`/((k?logr?|loggers?|logrus|zapr?)(/|\.|$)|logging(\.|$))`)

// configurationReader matches what reads the configuration of the program.
var configurationReader = regexp.MustCompile(`^\(?\*?(os\.(Getenv|LookupEnv|ExpandEnv|Environ|Args|ReadFile|Open|OpenFile|Stat|Hostname|Getwd)$|` +
	`flag\.|github\.com/spf13/(pflag|viper)\.)`)

// followOrRefuseDefinitions has the declaration of a function or a variable read.
func (m *sourceMentions) followOrRefuseDefinitions(by *sourcePackage, obj types.Object, at token.Pos) {
	v, isVar := obj.(*types.Var)
	if _, isFunc := obj.(*types.Func); !isFunc && !isVar || obj.Pkg() == nil || isVar && v.IsField() ||
		m.seenIDs[uniqueFullName(obj)] || loggingPackage.MatchString(obj.Pkg().Path()) {
		return
	}
	if m.seenIDs[uniqueFullName(obj)] = true; configurationReader.MatchString(uniqueFullName(obj)) {
		m.function.setReasonIfEmpty(by, at, "the function depends on %s.%s", obj.Pkg().Name(), obj.Name())
	}
	s := by.program.loadSourcePackage(obj.Pkg().Path())
	if s == nil {
		return
	}
	defs := s.program.definitionsByID[uniqueFullName(obj)]
	if s.isInMainModule && obj.Parent() == obj.Pkg().Scope() && len(defs) > 1 {
		m.function.setReasonIfEmpty(by, at, "the variable %s.%s, which the program changes", s.Name, obj.Name())
	}
	m.definitions = append(m.definitions, defs...)
}
