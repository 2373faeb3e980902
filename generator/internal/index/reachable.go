// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// Reached is a marked field with the paths from a root type to it.
type Reached struct {
	marker      *collect.FieldMarker
	fieldPaths  []fieldpath.Path
	isRecursive bool // behind a type that contains itself: there are infinitely many paths
}

// Reachable returns the marked fields below a root type, in depth-first order.
func Reachable(c *collect.Collected, root *types.Named) []*Reached {
	if len(c.Fields) == 0 {
		return nil
	}
	w := &fieldVisitor{
		collected: c, typesReachingMarker: typesThatReachMarker(c, root),
		totalVisits: map[types.Type]int{}, reachedByPos: map[token.Pos]*Reached{},
	}
	w.visitFields(root, nil)
	return w.reachedInOrder
}

// maxPathsPerField limits the paths collected per field. An error lists fewer.
const maxPathsPerField, listedPaths = 16, 3

// fieldVisitor visits fields depth first. It enters only structs that lead to a marked field.
type fieldVisitor struct {
	collected           *collect.Collected
	typesReachingMarker map[types.Type]bool
	enclosingTypes      []types.Type
	totalVisits         map[types.Type]int // visits of each type
	reachedByPos        map[token.Pos]*Reached
	reachedInOrder      []*Reached
}

func (w *fieldVisitor) visitFields(t types.Type, path fieldpath.Path) {
	w.enclosingTypes = append(w.enclosingTypes, t)
	defer func() { w.enclosingTypes = w.enclosingTypes[:len(w.enclosingTypes)-1] }()
	st := t.Underlying().(*types.Struct)
	for _, f := range gotypes.JSONFields(st) {
		here := append(path[:len(path):len(path)], fieldpath.Step{Kind: fieldpath.Name, Value: f.Shown})
		if m := w.collected.Fields[f.Leaf().Pos()]; m != nil {
			w.findOrAddReached(m, here)
		}
		next, suffix := gotypes.Element(f.Leaf().Type())
		if _, ok := next.Underlying().(*types.Struct); !ok || !w.typesReachingMarker[next] {
			continue
		}
		here = append(here, suffix...)
		if slices.Contains(w.enclosingTypes, next) {
			w.flagRecursiveFields(next)
			continue
		}
		if w.totalVisits[next]++; w.totalVisits[next] <= maxPathsPerField {
			w.visitFields(next, here) // beyond that, all below it has too many paths already
		}
	}
}

func (w *fieldVisitor) findOrAddReached(m *collect.FieldMarker, path fieldpath.Path) *Reached {
	r := w.reachedByPos[m.Pos]
	if r == nil {
		r = &Reached{marker: m}
		w.reachedByPos[m.Pos] = r
		w.reachedInOrder = append(w.reachedInOrder, r)
	}
	if path != nil {
		r.fieldPaths = append(r.fieldPaths, path)
	}
	return r
}

// flagRecursiveFields flags every marked field below a type that contains itself.
func (w *fieldVisitor) flagRecursiveFields(t types.Type) {
	for inner := range structGraph(t) {
		for _, f := range gotypes.JSONFields(inner.Underlying().(*types.Struct)) {
			if m := w.collected.Fields[f.Leaf().Pos()]; m != nil {
				w.findOrAddReached(m, nil).isRecursive = true
			}
		}
	}
}

// structGraph maps each struct type below root, and root itself, to the structs that it directly
// contains.
func structGraph(root types.Type) map[types.Type][]types.Type {
	out := map[types.Type][]types.Type{}
	todo := []types.Type{root}
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, done := out[t]; done {
			continue
		}
		out[t] = nil
		if gotypes.Endless(t) {
			continue
		}
		for _, f := range gotypes.JSONFields(t.Underlying().(*types.Struct)) {
			next, _ := gotypes.Element(f.Leaf().Type())
			if _, ok := next.Underlying().(*types.Struct); ok {
				out[t] = append(out[t], next)
				todo = append(todo, next)
			}
		}
	}
	return out
}

// typesThatReachMarker returns the struct types below root from which a marked field can be reached.
func typesThatReachMarker(c *collect.Collected, root types.Type) map[types.Type]bool {
	edges, out := structGraph(root), map[types.Type]bool{}
	for t := range edges {
		out[t] = slices.ContainsFunc(gotypes.JSONFields(t.Underlying().(*types.Struct)),
			func(f gotypes.JSONField) bool { return c.Fields[f.Leaf().Pos()] != nil })
	}
	for again := true; again; {
		again = false
		for t, inner := range edges {
			if !out[t] && slices.ContainsFunc(inner, func(i types.Type) bool { return out[i] }) {
				out[t], again = true, true
			}
		}
	}
	return out
}

// unreachableError returns the error for a marked field below no root type. It returns "" if an
// unknown root type may lead to the field: in a partial program, or if the field's package
// was not requested.
func unreachableError(m *collect.FieldMarker, partial bool) string {
	f := m.Field
	switch {
	case loader.ParseAstTag(f.Tag).Get("json") == "-":
		return `the field has the tag json:"-": it is not encoded, so objects from the API server ` +
			"never have it; index another one"
	case isInlinedEmbeddedStruct(m):
		return "the field is an embedded struct, which JSON inlines: mark the fields of " +
			types.ExprString(f.Type) + " instead"
	case len(f.Names) > 0 && !f.Names[0].IsExported():
		return "the field " + f.Names[0].Name +
			" is not exported, so that it is not encoded as JSON; index another one"
	case partial:
		return ""
	}
	return "no root type of the given packages leads to the field; " +
		"a root type embeds metav1.TypeMeta and metav1.ObjectMeta and reaches the field through fields " +
		"that are encoded as JSON"
}

// jsonTagName returns the name in the field's json tag, or "".
func jsonTagName(f *ast.Field) string {
	name, _, _ := strings.Cut(loader.ParseAstTag(f.Tag).Get("json"), ",")
	return name
}
