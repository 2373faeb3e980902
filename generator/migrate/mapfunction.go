// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"strings"
)

// A MapFunction returns the requests for an object that changed, and asks an index for them.
type MapFunction struct {
	Name string `json:"name"` // or "a closure"
	// OnlyLists is true if the function only lists by the index, and returns a request for each object.
	OnlyLists bool `json:"onlyLists,omitempty"`

	body             *ast.BlockStmt
	ctxName, objName string // of its parameters
	listedByClient   string // Go for the client, if OnlyLists
}

// mapFunctionType matches the type of a function from an object to requests.
var mapFunctionType = regexp.MustCompile(`pkg/client\.Object\) (\(\w+ )?\[\](sigs\.k8s\.io/controller-runtime/pkg/)?reconcile\.Request\)?$`)

// newMapFunction returns a function, or nil if it is no map function.
func (s *sourcePackage) newMapFunction(name string, t types.Type, body *ast.BlockStmt) *MapFunction {
	f, ok := t.(*types.Signature)
	if !ok || f.Params().Len() != 2 || !mapFunctionType.MatchString(t.String()) {
		return nil
	}
	m := &MapFunction{Name: name, body: body, ctxName: f.Params().At(0).Name(), objName: f.Params().At(1).Name()}
	if found := listingBody.FindStringSubmatch(s.normalizedTextByRoles(m)); found != nil {
		m.OnlyLists, m.listedByClient = true, found[listingBody.SubexpIndex("client")]
	}
	return m
}

// adoptNameOfReturningFunc takes the name of a function that only returns the map function.
func (m *MapFunction) adoptNameOfReturningFunc(decl *ast.FuncDecl, closure *ast.FuncLit) {
	if decl != nil && len(decl.Body.List) == 1 {
		if r, ok := decl.Body.List[0].(*ast.ReturnStmt); ok && len(r.Results) == 1 && r.Results[0] == closure {
			m.Name = decl.Name.Name
		}
	}
}

// normalizedTextByRoles returns the body of a map function, without spaces, comments and logging. Variables are named
// by what they are, and packages by their paths.
func (s *sourcePackage) normalizedTextByRoles(m *MapFunction) string {
	var edits []textEdit
	loopFrom := m.body.End()
	ast.Inspect(m.body, func(n ast.Node) bool {
		name, newText := n, ""
		switch n := n.(type) {
		case *ast.Ident:
			newText = s.roleOrNameOf(n, m, loopFrom)
		case *ast.RangeStmt:
			loopFrom = min(loopFrom, n.Pos())
			return true
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); !ok || !loggingPackage.MatchString(uniqueFullName(s.typesObjectOf(call.Fun))) {
				return true
			}
		case *ast.AssignStmt:
			if t := s.TypesInfo.TypeOf(n.Lhs[0]); t == nil || !loggingPackage.MatchString(t.String()) {
				return true
			}
		default:
			return true
		}
		edits = append(edits, textEdit{from: name.Pos(), to: name.End(), newText: newText})
		return false
	})
	text, _ := s.program.editedSource(m.body.Pos(), m.body.End(), edits)
	text = strings.Join(strings.Fields(lineComment.ReplaceAllString(text, "")), "")
	return strings.NewReplacer(",}", "}", ",)", ")").Replace(text)
}

var lineComment = regexp.MustCompile(`//.*`)

// roleOrNameOf returns the name of what a variable of a map function is, or that of something else. The items are the
// objects that its loop declares.
func (s *sourcePackage) roleOrNameOf(id *ast.Ident, m *MapFunction, loopFrom token.Pos) string {
	obj := s.TypesInfo.ObjectOf(id)
	if pkg, ok := obj.(*types.PkgName); ok {
		return path.Base(pkg.Imported().Path())
	} else if v, ok := obj.(*types.Var); !ok || v.IsField() || v.Parent() == v.Pkg().Scope() {
		return id.Name
	}
	items, _, _ := types.LookupFieldOrMethod(obj.Type(), true, obj.Pkg(), "Items")
	meta, _, _ := types.LookupFieldOrMethod(obj.Type(), true, obj.Pkg(), "ObjectMeta")
	inBody := m.body.Pos() <= obj.Pos() && obj.Pos() < m.body.End()
	inLoop := loopFrom <= obj.Pos() && obj.Pos() < m.body.End()
	switch t := obj.Type().String(); {
	case id.Name == m.ctxName && !inBody:
		return "CTX"
	case id.Name == m.objName && !inBody, meta != nil && inBody && !inLoop: // of its own type
		return "OBJ"
	case items != nil && inBody:
		return "LIST"
	case meta != nil && inLoop:
		return "ITEM"
	case strings.HasSuffix(t, "reconcile.Request"):
		return "OUT"
	case t == "error":
		return "ERR"
	case t == "int" && inLoop:
		return "I"
	}
	return id.Name
}

// listingBody matches the body of a map function that only lists by an index, and returns a request for each object.
var listingBody = func() *regexp.Regexp {
	text := `^\{(OBJ(,ok)?:=OBJ\.\(\*[\w.]+\)(if!ok\{returnNONE\})?)?(MAKE)?(varLIST[\w.]+|LIST:=&?[\w.]+\{\})(MAKE)?` +
		`(if)?ERR:?=(?P<client>[\w.]+)\.List\(CTX,&?LIST,(client\.MatchingFields\{[^{}:]+:TEXT\}|` +
		`&client\.ListOptions\{FieldSelector:fields\.OneTermEqualSelector\([^(),]+,TEXT\)\})\);?(if)?ERR!=nil\{returnNONE\}` +
		`(MAKE)?for(_|I)?(,ITEM)?:=rangeLIST\.Items\{(ITEM:=&?LIST\.Items\[I\])?(OUT=append\(OUT,EACH\)|OUT\[I\]=EACH)\}returnOUT\}$`
	key := [2]string{"KEY", `(client\.ObjectKeyFromObject\(&?OF\)|(types\.NamespacedName|client\.ObjectKey)\{(Namespace:SPACE,Name:LABEL|Name:LABEL,Namespace:SPACE)\})`}
	space, label := [2]string{"SPACE", `OF\.(GetNamespace\(\)|Namespace)`}, [2]string{"LABEL", `OF\.(GetName\(\)|Name)`}
	for _, by := range [][2]string{
		{"NONE", `(nil|OUT|\[\]REQUEST\{\})`},
		{"MAKE", `varOUT\[\]REQUEST|OUT:=(\[\]REQUEST\{\}|make\(\[\]REQUEST,(0,)?len\(LIST\.Items\)\))`},
		{"EACH", `REQUEST\{NamespacedName:KEY\}`}, key, space, label, {"OF", `(ITEM|LIST\.Items\[I\])`},
		{"TEXT", `(KEY\.String\(\)|SPACE\+"/"\+LABEL|fmt\.Sprintf\("%s/%s",SPACE,LABEL\))`}, key, space, label, {"OF", "OBJ"},
		{"REQUEST", `(reconcile|controller-runtime)\.Request`},
	} {
		text = strings.ReplaceAll(text, by[0], by[1])
	}
	return regexp.MustCompile(text)
}()
