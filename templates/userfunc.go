// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import "github.com/indexer-gen/indexer-gen/templates/model"

// function prints the call of a user's function.
//
//	func IndexDeviceBySize(dst []string, d *Device) []string {
//		return append(dst, SizeOf(d))
//	}
func (e *extractor) function(t *model.Type) []statement {
	ix := e.source
	call := ident(ix.Of) + "(" + t.ObjectParam + ")"
	switch part := ix.Parts[0]; {
	case part.Convert != nil:
		return e.converted(part, call)
	case ix.Several:
		call += "..."
	}
	return lines(e.add(call))
}

// converted prints the conversion of a function's values to keys.
//
//	for _, value := range TimesOf(d) {
//		if !value.IsZero() {
//			dst = append(dst, canonical.TimeOf(value.Time))
//		}
//	}
func (e *extractor) converted(part *model.Part, call string) []statement {
	v := value{code: e.source.ValueVar}
	var set *test
	if part.Convert.Unset {
		set = v.isSet()
	}
	if !e.source.Several && set == nil {
		return lines(e.add(value{code: call}.key(part)))
	}
	add := lines(e.add(v.key(part)))
	if !e.source.Several {
		return guarded(v.code+" := "+call, set, "", add)
	}
	return []statement{{line: "for _, " + v.code + " := range " + call, body: guarded("", set, "", add)}}
}
