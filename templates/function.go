// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// function prints the call of a user's function.
//
//	func IndexDeviceBySize(dst []string, d *Device) []string {
//		return append(dst, SizeOf(d))
//	}
func (e *extractor) function(t *model.Type) []jen.Code {
	ix := e.source
	call := ident(ix.Of).Call(jen.Id(t.ObjectParam))
	switch part := ix.Parts[0]; {
	case part.Convert != nil:
		return e.converted(part, call)
	case ix.Several:
		call = call.Op("...")
	}
	return []jen.Code{e.add(call)}
}

// converted prints the conversion of a function's values to keys.
//
//	for _, value := range TimesOf(d) {
//		if !value.IsZero() {
//			dst = append(dst, canonical.TimeOf(value.Time))
//		}
//	}
func (e *extractor) converted(part *model.Part, call *jen.Statement) []jen.Code {
	variable, set := jen.Id(e.source.ValueVar), (*test)(nil)
	v := value{code: variable}
	if part.Convert.Unset {
		set = v.unset().not()
	}
	switch {
	case !e.source.Several && set == nil:
		return []jen.Code{e.add(value{code: call}.key(part))}
	case !e.source.Several:
		e.assigns = true
		assign := jen.Add(variable).Op(":=").Add(call)
		return e.guardedAfter(assign, set, nil, []jen.Code{e.add(v.key(part))})
	}
	e.assigns = true
	body := e.guarded(set, nil, []jen.Code{e.add(v.key(part))})
	return []jen.Code{jen.For(jen.List(jen.Id("_"), variable).Op(":=").Range().Add(call)).Block(body...)}
}
