// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"path"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// keys declares the key structs of composite indexes.
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
		declare(f, fmt.Sprintf("%s is the key of %s.%s", ix.Key, ix.Method, makers(ix)),
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

// makers names the functions that convert values to fields of the key, each once.
func makers(ix *model.Index) string {
	var funcs []string
	for _, p := range ix.Parts {
		if !p.Compares() {
			continue
		}
		if name := path.Base(p.Convert.Func.Path) + "." + p.Convert.Func.Name; !slices.Contains(funcs, name) {
			funcs = append(funcs, name)
		}
	}
	if len(funcs) == 0 {
		return ""
	}
	return " Make its fields with " + enumerated(funcs) + "."
}

// compare declares the method that orders a composite key by its parts.
//
//	func (k DeviceSitePhaseKey) Compare(other DeviceSitePhaseKey) int {
//		return cmp.Or(cmp.Compare(k.Site, other.Site), cmp.Compare(k.Phase, other.Phase))
//	}
func compare(f *jen.File, ix *model.Index) {
	declare(f, "Compare orders keys by their fields, first to last.",
		jen.Func().Params(jen.Id("k").Id(ix.Key)).
			Id("Compare").Params(jen.Id("other").Id(ix.Key)).Int().Block(
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
