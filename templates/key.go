// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"path"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// keys declares what composite indexes are keyed by.
//
//	type DeviceSitePhaseKey struct {
//		Site  string      // .spec.site
//		Phase DevicePhase // .status.phase
//	}
func keys(f *jen.File, t *model.Type) {
	for _, ix := range t.Indexes {
		if !ix.Composite() {
			continue
		}
		declare(f, fmt.Sprintf("%s is the key of the index behind %s.%s", ix.Key, ix.Method, makers(ix)),
			jen.Type().Id(ix.Key).StructFunc(func(g *jen.Group) {
				for _, p := range ix.Parts {
					g.Id(p.Field).Add(goType(p.Type)).Comment("// " + p.Path)
				}
			}))
		if ix.Ordered {
			compare(f, ix)
		}
	}
}

// makers says how the fields of a key are made that are not of the type that queries
// take, once for each type.
func makers(ix *model.Index) (text string) {
	seen := map[model.Ident]bool{}
	for _, p := range ix.Parts {
		if p.Convert == nil || p.Convert.Func == (model.Ident{}) || seen[p.Convert.Func] {
			continue
		}
		seen[p.Convert.Func] = true
		maker, given := p.Convert.Func, p.Convert.Given.Ident
		text += fmt.Sprintf(" %s makes a %s of a %s.", shown(maker), shown(p.Type.Ident), shown(given))
	}
	return text
}

// shown is how a comment names a type or function: by its package, however that is
// imported.
func shown(of model.Ident) string { return path.Base(of.Path) + "." + of.Name }

// compare declares the order of a composite key: that of its parts, one after
// the other.
//
//	func (k DeviceSitePhaseKey) Compare(other DeviceSitePhaseKey) int {
//		return cmp.Or(cmp.Compare(k.Site, other.Site), cmp.Compare(k.Phase, other.Phase))
//	}
func compare(f *jen.File, ix *model.Index) {
	declare(f, "Compare returns -1, 0 or 1: the order of keys is that of their fields, one after the other.",
		jen.Func().Params(jen.Id("k").Id(ix.Key)).Id("Compare").Params(jen.Id("other").Id(ix.Key)).Int().Block(
			jen.Return(jen.Qual(model.Cmp, "Or").CallFunc(func(g *jen.Group) {
				for _, p := range ix.Parts {
					k, other := jen.Id("k").Dot(p.Field), jen.Id("other").Dot(p.Field)
					if p.Compares() {
						g.Add(k).Dot("Compare").Call(other)
						continue
					}
					g.Qual(model.Cmp, "Compare").Call(k, other)
				}
			}))))
}
