// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// A sourceCondition is an operand of a condition in the source of an index function, the case of a switch, or that a loop
// is entered. The program notes whether it was ever true, and ever false.
type sourceCondition struct {
	Position
	abbreviatedSource string
	comparedConstants []string
}

// testBinaryConditions are those of the functions of a run. Their place in the list is their id in edited source.
type testBinaryConditions struct {
	conditions         []sourceCondition
	files              editedFiles
	exprsToSkipInFiles map[ast.Expr]bool // in files
	disabledReason     string            // why no source is edited, or ""
}

func newTestBinaryConditions() *testBinaryConditions {
	return &testBinaryConditions{files: editedFiles{}, exprsToSkipInFiles: map[ast.Expr]bool{}}
}

// isEditable reports whether a file of the package can be edited: those of the module cache and vendored ones cannot.
func (s *sourcePackage) isEditable(fileName string) bool {
	m := s.Module
	return m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "" && !strings.Contains(filepath.ToSlash(fileName), "/vendor/"))
}

// watchCalledFunctions has the conditions edited of the functions that a function calls.
func (c *testBinaryConditions) watchCalledFunctions(f *indexFunction) {
	for _, d := range f.Mentions.definitions {
		if c.disabledReason != "" || d.Node == nil || d.Node == f.funcExpr { // of which there is a copy
			continue
		}
		if d.pkg.isEditable(d.pkg.program.fset.File(d.Pos()).Name()) {
			if edits := c.editsToWatch(d.pkg, d.Node, c.exprsToSkipInFiles); len(edits) > 0 {
				file := c.files.at(d.pkg, d.Pos())
				file.edits = append(file.edits, edits...)
			}
		}
	}
}

// textWithLearnImport returns the file with its edits, which import package learn.
func (f *editedFile) textWithLearnImport(learnPath string) (string, error) {
	at := f.syntax.Name.End()
	f.replace(at, at, "; import zzlearn "+strconv.Quote(learnPath))
	text, err := f.text()
	return "//line " + f.pkg.program.fset.File(at).Name() + ":1\n" + text, err
}

// editsToWatch returns the edits by which the conditions in a node note how they were.
func (c *testBinaryConditions) editsToWatch(s *sourcePackage, n ast.Node, exprsToSkip map[ast.Expr]bool) []textEdit {
	if c.disabledReason != "" {
		return nil
	}
	w := &conditionWatcher{watched: c, pkg: s, typeDependentVars: map[types.Object]bool{}, exprsToSkip: exprsToSkip, comparisonsInStatement: map[string]bool{}}
	if f, ok := n.(*ast.FuncDecl); ok && f.Recv != nil && len(f.Recv.List[0].Names) > 0 {
		w.typeDependentVars[s.TypesInfo.Defs[f.Recv.List[0].Names[0]]] = true // often the address of a field, which is never nil
	}
	ast.Inspect(n, w.visitNode)
	return w.edits
}

// A conditionWatcher collects the edits of a function.
type conditionWatcher struct {
	watched                *testBinaryConditions
	pkg                    *sourcePackage
	edits                  []textEdit
	typeDependentVars      map[types.Object]bool // such as ok of an assertion of the object's type, and receivers
	exprsToSkip            map[ast.Expr]bool
	comparisonsInStatement map[string]bool
}

func (w *conditionWatcher) visitNode(n ast.Node) bool {
	if _, ok := n.(ast.Stmt); ok {
		clear(w.comparisonsInStatement)
	}
	switch n := n.(type) {
	case *ast.GoStmt:
		w.exprsToSkip[n.Call] = true // its arguments are evaluated now, and the call is not
	case *ast.DeferStmt:
		w.exprsToSkip[n.Call] = true
	case *ast.AssignStmt:
		w.noteTypeDependentVars(n)
	case *ast.IfStmt:
		if init, ok := n.Init.(*ast.AssignStmt); ok {
			w.noteTypeDependentVars(init)
		}
		w.watchConditionOperands(n.Cond)
	case *ast.ForStmt:
		w.watchConditionOperands(n.Cond)
	case *ast.UnaryExpr, *ast.BinaryExpr, *ast.CallExpr:
		w.watchConditionOperands(n.(ast.Expr))
	case *ast.SwitchStmt:
		w.watchSwitchCases(n)
	case *ast.RangeStmt:
		if w.pkg.TypesInfo.Types[n.X].Value == nil && !w.exprsToSkip[n.X] {
			w.exprsToSkip[n.X] = true
			i := w.addCondition(n.For, "range ", n.X)
			w.edits = insertAround(w.edits, n.X.Pos(), n.X.End(), "zzlearn.Tag(", fmt.Sprintf(", %d)", i))
			w.edits = append(w.edits, w.editToNoteStart(n.Body.Lbrace, i))
		}
	}
	return true
}

// noteTypeDependentVars notes variables that depend on the type of the object alone, or on no object.
func (w *conditionWatcher) noteTypeDependentVars(n *ast.AssignStmt) {
	if len(n.Rhs) != 1 {
		return
	}
	known := false
	switch x := ast.Unparen(n.Rhs[0]).(type) {
	case *ast.TypeAssertExpr:
		known = true
	case *ast.CallExpr:
		known = metaAccessor.MatchString(uniqueFullName(w.pkg.typesObjectOf(x.Fun))) || !w.usesLocalVars(x)
	}
	w.typeDependentVars[w.pkg.typesObjectOf(n.Lhs[len(n.Lhs)-1])] = known && len(n.Lhs) > 1
}

// metaAccessor matches functions that fail for what is no object.
var metaAccessor = regexp.MustCompile(`^k8s\.io/(apimachinery/pkg/api/meta\.Accessor|client-go/tools/cache\.\w+KeyFunc)$`)

func (w *conditionWatcher) usesLocalVars(n ast.Node) bool {
	for n := range ast.Preorder(n) {
		name, _ := n.(*ast.Ident)
		if v, ok := w.pkg.TypesInfo.Uses[name].(*types.Var); ok && !v.IsField() && v.Parent() != v.Pkg().Scope() {
			return true
		}
	}
	return false
}

// watchConditionOperands has an operand of a condition note its value, and texts in it note theirs.
func (w *conditionWatcher) watchConditionOperands(e ast.Expr) {
	e = ast.Unparen(e)
	t := w.pkg.TypesInfo.Types[e]
	if w.exprsToSkip[e] || t.Value != nil || t.Type == nil || !isBoolType(t.Type) || w.typeDependentVars[w.pkg.typesObjectOf(e)] {
		return
	}
	var operands []ast.Expr
	switch x := e.(type) {
	case *ast.UnaryExpr:
		w.watchConditionOperands(x.X)
		return
	case *ast.BinaryExpr:
		if operands = []ast.Expr{x.X, x.Y}; x.Op == token.LAND || x.Op == token.LOR {
			w.watchConditionOperands(x.X)
			w.watchConditionOperands(x.Y)
			return
		} else if w.isRedundantComparison(x) {
			w.exprsToSkip[x] = true
			return
		}
	case *ast.CallExpr:
		operands = x.Args
	}
	w.exprsToSkip[e] = true
	n := w.addCondition(e.Pos(), "", e)
	w.edits = insertAround(w.edits, e.Pos(), e.End(), fmt.Sprintf("zzlearn.Seen(%d, ", n), ")")
	for _, o := range operands {
		if t := w.pkg.TypesInfo.Types[o]; t.Value != nil && t.Value.Kind() == constant.String {
			w.watched.conditions[n].comparedConstants = append(w.watched.conditions[n].comparedConstants, constant.StringVal(t.Value))
		} else if t.IsValue() && t.Value == nil && gotypes.IsText(t.Type) {
			w.edits = insertAround(w.edits, o.Pos(), o.End(), fmt.Sprintf("zzlearn.Text(%d, ", n), ")")
		}
	}
}

func isBoolType(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// isRedundantComparison reports whether a comparison is of the object or a variable with nil, or one that stands
// before it in its statement: two constants may have one text.
func (w *conditionWatcher) isRedundantComparison(x *ast.BinaryExpr) bool {
	for _, sides := range [][2]ast.Expr{{x.X, x.Y}, {x.Y, x.X}} {
		of, by := w.pkg.TypesInfo.Types[sides[0]], w.pkg.TypesInfo.Types[sides[1]]
		if by.IsNil() && (w.typeDependentVars[w.pkg.typesObjectOf(sides[0])] || objectTypeOfPointer(of.Type) != nil ||
			types.IsInterface(of.Type) && of.Type.String() != "error") {
			return true
		}
		if by.Value != nil {
			before := types.ExprString(sides[0]) + x.Op.String() + by.Value.ExactString()
			if w.comparisonsInStatement[before] {
				return true
			}
			w.comparisonsInStatement[before] = true
		}
	}
	return false
}

// watchSwitchCases has the cases of a switch note that they are reached, and the switch that they may be.
func (w *conditionWatcher) watchSwitchCases(n *ast.SwitchStmt) {
	ids := ""
	for _, c := range n.Body.List {
		c := c.(*ast.CaseClause)
		for _, e := range c.List {
			if n.Tag == nil {
				w.watchConditionOperands(e)
			}
		}
		if n.Tag != nil && w.pkg.TypesInfo.Types[n.Tag].Value == nil && !w.exprsToSkip[n.Tag] {
			i := w.addCondition(c.Pos(), "case ", c.List...)
			for _, e := range c.List {
				if text, ok := w.pkg.constantString(e); ok {
					w.watched.conditions[i].comparedConstants = append(w.watched.conditions[i].comparedConstants, text)
				}
			}
			w.edits = append(w.edits, w.editToNoteStart(c.Colon, i))
			ids += fmt.Sprint(", ", i)
		}
	}
	if ids != "" {
		w.exprsToSkip[n.Tag] = true
		w.edits = insertAround(w.edits, n.Tag.Pos(), n.Tag.End(), "zzlearn.Tag(", ids+")")
	}
}

// editToNoteStart returns the edit by which a case or the body of a loop notes that it is reached.
func (w *conditionWatcher) editToNoteStart(braceOrColon token.Pos, id int) textEdit {
	return textEdit{braceOrColon + 1, braceOrColon + 1, fmt.Sprintf(" zzlearn.Seen(%d, true); ", id), len(w.edits) + 1}
}

// addCondition adds a condition: an operand, the case of some values or of all others, or that a loop is entered.
func (w *conditionWatcher) addCondition(pos token.Pos, keyword string, values ...ast.Expr) int {
	text := "default"
	if len(values) > 0 {
		text, _ = w.pkg.program.editedSource(values[0].Pos(), values[len(values)-1].End(), nil)
		if text = strings.Join(strings.Fields(text), " "); len(text) > 80 {
			text = strings.ToValidUTF8(text[:77], "") + "…"
		}
		text = keyword + text
	}
	w.watched.conditions = append(w.watched.conditions, sourceCondition{Position: w.pkg.program.relativePosition(pos), abbreviatedSource: text})
	return len(w.watched.conditions) - 1
}

// unseenConditionNotes returns what objects did not show: the conditions that were always true or always false.
func (f *indexFunction) unseenConditionNotes() (notes []string) {
	if f.watchedConditions.disabledReason != "" {
		notes = append(notes, "conditions of the source are not watched, since that does not compile: "+f.watchedConditions.disabledReason)
	}
	if n := len(f.Mentions.definitions); n > maxDefinitions {
		notes = append(notes, fmt.Sprintf("of %d functions and variables that it uses, only the first %d were read", n, maxDefinitions))
	}
	for _, i := range slices.Sorted(maps.Keys(f.learnedAnswer.OneWay)) {
		way := map[bool][2]string{true: {"false", "is not"}, false: {"true", "is"}}[f.learnedAnswer.OneWay[i]]
		c := f.watchedConditions.conditions[i]
		if strings.HasPrefix(c.abbreviatedSource, "range ") {
			way[0] = "entered"
		}
		note := fmt.Sprintf("%s:%d: %s was never %s: objects for which it %s are not compared", c.File, c.Line, c.abbreviatedSource, way[0], way[1])
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}
