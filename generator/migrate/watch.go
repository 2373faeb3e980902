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

// A condition is an operand of a condition in the source of an index function, or the case of a switch. The program
// notes whether it was ever true, and ever false.
type condition struct {
	Position
	text      string
	constants []string // that are compared
}

// conditions are those of the functions of a run. Their place in the list is their id in edited source.
type conditions struct {
	all   []condition
	files map[string]*watchedFile // by name
	done  map[ast.Expr]bool       // in files
	off   string                  // why no source is edited, or ""
}

func newConditions() *conditions {
	return &conditions{files: map[string]*watchedFile{}, done: map[ast.Expr]bool{}}
}

// A watchedFile is a file in which conditions are edited.
type watchedFile struct {
	in     *source
	syntax *ast.File
	edits  []edit
}

// dependency matches files of other projects: those in the module cache cannot be edited.
var dependency = regexp.MustCompile(`@.*/|/vendor/`)

// watch has the conditions edited of the functions that a function calls.
func (c *conditions) watch(f *function) {
	for _, d := range f.Mentions.todo {
		if c.off != "" || d.Node == nil || d.Node == f.fn { // of which there is a copy
			continue
		}
		for _, syntax := range d.in.Syntax {
			name := d.in.prog.fset.File(syntax.Pos()).Name()
			if syntax.FileStart > d.Pos() || d.Pos() >= syntax.FileEnd || dependency.MatchString(filepath.ToSlash(name)) {
				continue
			}
			edits := c.edits(d.in, d.Node, c.done)
			if c.files[name] == nil && len(edits) > 0 {
				c.files[name] = &watchedFile{in: d.in, syntax: syntax}
			}
			if len(edits) > 0 {
				c.files[name].edits = append(c.files[name].edits, edits...)
			}
		}
	}
}

// text returns the file with its edits.
func (w *watchedFile) text(learn string) (string, error) {
	at := w.syntax.Name.End()
	edits := append(w.edits, edit{from: at, to: at, text: "; import zzlearn " + strconv.Quote(learn)})
	text, err := w.in.prog.edited(w.syntax.FileStart, w.syntax.FileEnd, edits)
	return "//line " + w.in.prog.fset.File(at).Name() + ":1\n" + text, err
}

// edits returns the edits by which the conditions in a node note how they were.
func (c *conditions) edits(s *source, n ast.Node, done map[ast.Expr]bool) []edit {
	if c.off != "" {
		return nil
	}
	w := &watcher{conditions: c, in: s, known: map[types.Object]bool{}, done: done, compared: map[string]bool{}}
	ast.Inspect(n, w.visit)
	return w.out
}

// A watcher collects the edits of a function.
type watcher struct {
	*conditions
	in       *source
	out      []edit
	known    map[types.Object]bool // variables that depend on the object's type alone, such as ok of its assertion
	done     map[ast.Expr]bool
	compared map[string]bool // in a statement
}

func (w *watcher) visit(n ast.Node) bool {
	if _, ok := n.(ast.Stmt); ok {
		clear(w.compared)
	}
	switch n := n.(type) {
	case *ast.GoStmt:
		w.done[n.Call] = true // its arguments are evaluated now, and the call is not
	case *ast.DeferStmt:
		w.done[n.Call] = true
	case *ast.AssignStmt:
		w.assigned(n)
	case *ast.IfStmt:
		if init, ok := n.Init.(*ast.AssignStmt); ok {
			w.assigned(init)
		}
		w.operand(n.Cond)
	case *ast.ForStmt:
		w.operand(n.Cond)
	case *ast.UnaryExpr, *ast.BinaryExpr, *ast.CallExpr:
		w.operand(n.(ast.Expr))
	case *ast.SwitchStmt:
		w.cases(n)
	}
	return true
}

// assigned notes variables that depend on the type of the object alone, or on no object.
func (w *watcher) assigned(n *ast.AssignStmt) {
	if len(n.Rhs) != 1 {
		return
	}
	known := false
	switch x := ast.Unparen(n.Rhs[0]).(type) {
	case *ast.TypeAssertExpr:
		known = true
	case *ast.CallExpr:
		known = accessors.MatchString(id(w.in.used(x.Fun))) || !w.usesLocals(x)
	}
	w.known[w.in.used(n.Lhs[len(n.Lhs)-1])] = known && len(n.Lhs) > 1
}

// accessors matches functions that fail for what is no object.
var accessors = regexp.MustCompile(`^k8s\.io/(apimachinery/pkg/api/meta\.Accessor|client-go/tools/cache\.\w+KeyFunc)$`)

func (w *watcher) usesLocals(n ast.Node) bool {
	for n := range ast.Preorder(n) {
		name, _ := n.(*ast.Ident)
		if v, ok := w.in.TypesInfo.Uses[name].(*types.Var); ok && !v.IsField() && v.Parent() != v.Pkg().Scope() {
			return true
		}
	}
	return false
}

// operand has an operand of a condition note its value, and texts in it note theirs.
func (w *watcher) operand(e ast.Expr) {
	e = ast.Unparen(e)
	t := w.in.TypesInfo.Types[e]
	if w.done[e] || t.Value != nil || t.Type == nil || !isBool(t.Type) || w.known[w.in.used(e)] {
		return
	}
	var operands []ast.Expr
	switch x := e.(type) {
	case *ast.UnaryExpr:
		w.operand(x.X)
		return
	case *ast.BinaryExpr:
		if operands = []ast.Expr{x.X, x.Y}; x.Op == token.LAND || x.Op == token.LOR {
			w.operand(x.X)
			w.operand(x.Y)
			return
		} else if w.isKnown(x) {
			w.done[x] = true
			return
		}
	case *ast.CallExpr:
		operands = x.Args
	}
	w.done[e] = true
	n := w.add(e.Pos(), e)
	w.out = insertAround(w.out, e.Pos(), e.End(), fmt.Sprintf("zzlearn.Seen(%d, ", n), ")")
	for _, o := range operands {
		if t := w.in.TypesInfo.Types[o]; t.Value != nil && t.Value.Kind() == constant.String {
			w.all[n].constants = append(w.all[n].constants, constant.StringVal(t.Value))
		} else if t.IsValue() && t.Value == nil && gotypes.IsText(t.Type) {
			w.out = insertAround(w.out, o.Pos(), o.End(), fmt.Sprintf("zzlearn.Text(%d, ", n), ")")
		}
	}
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// isKnown reports whether a comparison is of the object or a variable with nil, or one that stands before it in its
// statement: two constants may have one text.
func (w *watcher) isKnown(x *ast.BinaryExpr) bool {
	for _, sides := range [][2]ast.Expr{{x.X, x.Y}, {x.Y, x.X}} {
		of, by := w.in.TypesInfo.Types[sides[0]], w.in.TypesInfo.Types[sides[1]]
		if by.IsNil() && (w.known[w.in.used(sides[0])] || rootType(of.Type) != nil ||
			types.IsInterface(of.Type) && of.Type.String() != "error") {
			return true
		}
		if by.Value != nil {
			before := types.ExprString(sides[0]) + x.Op.String() + by.Value.ExactString()
			if w.compared[before] {
				return true
			}
			w.compared[before] = true
		}
	}
	return false
}

// cases has the cases of a switch note that they are reached, and the switch that they may be.
func (w *watcher) cases(n *ast.SwitchStmt) {
	ids := ""
	for _, c := range n.Body.List {
		c := c.(*ast.CaseClause)
		for _, e := range c.List {
			if n.Tag == nil {
				w.operand(e)
			}
		}
		if n.Tag != nil && w.in.TypesInfo.Types[n.Tag].Value == nil && !w.done[n.Tag] {
			i := w.add(c.Pos(), c.List...)
			for _, e := range c.List {
				if text, ok := w.in.text(e); ok {
					w.all[i].constants = append(w.all[i].constants, text)
				}
			}
			w.out = append(w.out, edit{c.Colon + 1, c.Colon + 1, fmt.Sprintf(" zzlearn.Seen(%d, true); ", i), len(w.out) + 1})
			ids += fmt.Sprint(", ", i)
		}
	}
	if ids != "" {
		w.done[n.Tag] = true
		w.out = insertAround(w.out, n.Tag.Pos(), n.Tag.End(), "zzlearn.Tag(", ids+")")
	}
}

// add adds a condition: an operand, or the case of some values, or of all others.
func (w *watcher) add(at token.Pos, of ...ast.Expr) int {
	text := "default"
	if len(of) > 0 {
		text, _ = w.in.prog.edited(of[0].Pos(), of[len(of)-1].End(), nil)
		if text = strings.Join(strings.Fields(text), " "); len(text) > 80 {
			text = strings.ToValidUTF8(text[:77], "") + "…"
		}
		if at != of[0].Pos() {
			text = "case " + text
		}
	}
	w.all = append(w.all, condition{Position: w.in.prog.position(at), text: text})
	return len(w.all) - 1
}

// unseen returns what objects did not show: the conditions that were always true or always false.
func (f *function) unseen() (notes []string) {
	if f.watched.off != "" {
		notes = append(notes, "conditions of the source are not watched, since that does not compile: "+f.watched.off)
	}
	for _, i := range slices.Sorted(maps.Keys(f.learned.OneWay)) {
		way := map[bool][2]string{true: {"false", "is not"}, false: {"true", "is"}}[f.learned.OneWay[i]]
		c := f.watched.all[i]
		note := fmt.Sprintf("%s:%d: %s was never %s: objects for which it %s are not compared", c.File, c.Line, c.text, way[0], way[1])
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}
