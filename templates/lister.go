// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// declareListerWithQueries declares the read side of a type: the struct of index handles, the lister, its queries and
// constructor, and the methods Handles and Snapshot.
func declareListerWithQueries(f *file, t *model.Type) {
	handles, keep := "", ""
	if t.Handles != "" {
		handles, keep = "indexes *"+t.Handles+"\n", ", indexes: "+t.ListerRecv+".indexes"
		var all strings.Builder
		for _, ix := range t.Indexes {
			all.WriteString(ix.Method + " " + runtimeHandleType(t, ix) + "\n")
		}
		f.declare(fmt.Sprintf(
			"%s holds the index handles of %s. Use them to combine queries, count, list values and watch; "+
				"see store.Query.", t.Handles, t.Plural), "type "+t.Handles+" struct {\n"+all.String()+"}")
	}
	f.declare(fmt.Sprintf("%s reads %s from the cache. The objects are shared: do not modify them.",
		t.Lister, t.Plural), fmt.Sprintf("type %s struct {\n«lister».%s[%s]\n%s}", t.Lister, embeddedListerName(t), objectType(t), handles))
	declareNewLister(f, t)
	for _, ix := range t.Indexes {
		declareNativeQueryMethods(f, t, ix)
	}
	if t.Handles != "" {
		f.declare("Handles returns the index handles. Their methods take the Reader of this lister or of a snapshot.",
			fmt.Sprintf("func (%s %s) Handles() %s {\nreturn *%[1]s.indexes\n}", t.ListerRecv, t.Lister, t.Handles))
	}
	f.declare(fmt.Sprintf(
		"Snapshot returns a lister of the %s as they are now, consistent over all indexes.", t.Plural),
		fmt.Sprintf(`func (%s %s) Snapshot() %[2]s {
	return %[2]s{%[3]s: %[1]s.%[3]s.Snapshot()%[4]s}
}`, t.ListerRecv, t.Lister, embeddedListerName(t), keep))
}

// declareNewLister declares the constructor of a lister.
func declareNewLister(f *file, t *model.Type) {
	text, construct := "%s returns a lister of s, which may be in use.", "New"
	if !t.Namespaced {
		construct = "NewClusterScoped"
	}
	inner := []string{embeddedListerName(t), "«lister»." + construct + "(s, " + t.ResourceVar + ".GroupResource())"}
	if t.Handles != "" {
		text += " It adds the indexes to s if s has no such lister yet."
		var handles []string
		for _, ix := range t.Indexes {
			handles = append(handles, ix.Method, addToStoreExpr(t, ix))
		}
		inner = append(inner, "indexes", fmt.Sprintf("«store».Extension(s, func() *%s {\nreturn &%[1]s%[2]s\n})",
			t.Handles, bracedLiteralElements(handles...)))
	}
	f.declare(fmt.Sprintf(text, t.NewLister), fmt.Sprintf("func %s(s *«lister».Store[%s]) %s {\nreturn %[3]s%[4]s\n}",
		t.NewLister, objectType(t), t.Lister, bracedLiteralElements(inner...)))
}

// addToStoreExpr prints the call that adds an index to the store s.
func addToStoreExpr(t *model.Type, ix *model.Index) string {
	if ix.Kind == model.Labels {
		return "«store».AddLabels(s)"
	}
	order := ""
	if ix.Ordered {
		order = ", «cmp».Compare[" + goType(ix.Value) + "]"
		if ix.Composite() || ix.Parts[0].Compares() {
			order = ", " + goType(ix.Value) + ".Compare"
		}
	}
	add := "«store».Add" + runtimeIndexTypeName(ix) + "(s, " + strconv.Quote(ix.Name) + ", " + nativeIndexFuncExpr(t, ix) + order + ")"
	if ix.Kind == model.States {
		add += ".Equal(" + ix.Parts[0].Literal + ")"
	}
	return add
}

// runtimeIndexTypeName returns the name of an index's type in package lister.
func runtimeIndexTypeName(ix *model.Index) string {
	switch {
	case ix.Ordered && ix.Unique:
		return "UniqueOrdered"
	case ix.Ordered:
		return "Ordered"
	case ix.Unique:
		return "Unique"
	}
	return "Index"
}

// runtimeHandleType prints the type of an index's handle.
func runtimeHandleType(t *model.Type, ix *model.Index) string {
	switch ix.Kind {
	case model.Labels:
		return "«lister».Labels[" + objectType(t) + "]"
	case model.States:
		return "«lister».Query[" + objectType(t) + "]"
	}
	return "«lister»." + runtimeIndexTypeName(ix) + "[" + objectType(t) + ", " + goType(ix.Value) + "]"
}

// nativeIndexFuncExpr prints the function that an index calls.
func nativeIndexFuncExpr(t *model.Type, ix *model.Index) string {
	switch ix.Kind {
	case model.Owners:
		return "«lister».Owners[" + objectType(t) + "]"
	case model.Controllers:
		return "«lister».Controller[" + objectType(t) + "]"
	}
	return ix.Func
}

func embeddedListerName(t *model.Type) string {
	if t.Namespaced {
		return "Lister"
	}
	return "ClusterScopedLister"
}
