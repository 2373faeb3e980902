// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// function prints the body of the index function around a user's function.
//
//	func IndexDeviceBySize(dst []string, d *Device) []string {
//		return append(dst, SizeOf(d))
//	}
func function(t *model.Type, ix *model.Index) []jen.Code {
	call := ident(ix.Of).Call(jen.Id(t.ObjectParam))
	switch part := ix.Parts[0]; {
	case part.Convert != nil:
		return converted(ix, part, call)
	case ix.Several:
		call = call.Op("...")
	}
	return []jen.Code{jen.Return(jen.Append(jen.Id(ix.Result), call))}
}

// converted prints the body of an index function that converts values to keys.
//
//	for _, value := range TimesOf(d) {
//		if !value.IsZero() {
//			dst = append(dst, canonical.TimeOf(value.Time))
//		}
//	}
//	return dst
func converted(ix *model.Index, part *model.Part, call *jen.Statement) []jen.Code {
	v := value{code: jen.Id(ix.ValueVar)}
	add := jen.Append(jen.Id(ix.Result), v.key(part))
	switch {
	case !ix.Several && !part.Convert.Unset:
		return []jen.Code{jen.Return(jen.Append(jen.Id(ix.Result), value{code: call}.key(part)))}
	case !ix.Several:
		return []jen.Code{
			jen.If(jen.Id(ix.ValueVar).Op(":=").Add(call), jen.Op("!").Add(v.unset())).Block(jen.Return(add)),
			jen.Return(jen.Id(ix.Result)),
		}
	}
	body := jen.Id(ix.Result).Op("=").Add(add)
	if part.Convert.Unset {
		body = jen.If(jen.Op("!").Add(v.unset())).Block(body)
	}
	return []jen.Code{
		jen.For(jen.List(jen.Id("_"), jen.Id(ix.ValueVar)).Op(":=").Range().Add(call)).Block(body),
		jen.Return(jen.Id(ix.Result)),
	}
}
