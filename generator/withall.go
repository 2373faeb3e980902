// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/templates"
)

// madeWithAll reports whether text is a file that we emitted with types that need no
// marker.
func madeWithAll(text []byte) bool {
	return bytes.Contains(text, []byte(templates.Generated+"\n"+templates.Everything+"\n"))
}

// keeps reports the types that a file would lose which was made with -all, by a run that
// takes only marked ones: nothing says that nobody uses them. A marker that is wrong may
// be meant to keep its type, and so may one that is of nothing known: of any type.
func (w *work) keeps(o *planned, name string, old []byte) {
	if !madeWithAll(old) || w.c.astray[o.pkg] || w.c.astray[nil] {
		return
	}
	had := o.without(name, old)
	var lost []string
	for _, r := range w.c.rootsOf(o.pkg) {
		if kind := r.obj.Name(); had[kind] && !w.c.wrong[r.spec] {
			lost = append(lost, kind)
		}
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		w.p.report.add(token.Position{}, fmt.Sprintf("%s was made with -all, and without it would lose %s; run with -all, mark them, or delete the file to have it without them",
			name, strings.Join(lost, ", ")))
	}
}

// without returns the kinds that an emitted file has and this run would not write into it.
func (o *planned) without(name string, old []byte) map[string]bool {
	had := map[string]bool{}
	file, err := parser.ParseFile(token.NewFileSet(), name, old, parser.SkipObjectResolution)
	if err != nil {
		return had
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if kind, ok := strings.CutSuffix(spec.Name.Name, "Lister"); ok {
				had[kind] = true
			}
		}
		return true
	})
	for _, t := range o.model.Types {
		delete(had, t.Kind)
	}
	return had
}

// rootsOf lists the root types of a package, marked or not.
func (c *collected) rootsOf(pkg *loader.Package) (out []*root) {
	for _, r := range c.roots {
		if r.pkg == pkg {
			out = append(out, r)
		}
	}
	return out
}
