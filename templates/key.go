// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/generator/model"
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
		declare(f, fmt.Sprintf("%s is the key of the index behind %s.", ix.Key, ix.Method),
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
					if p.Convert != nil {
						g.Add(k).Dot("Compare").Call(other)
						continue
					}
					g.Qual(model.Cmp, "Compare").Call(k, other)
				}
			}))))
}
