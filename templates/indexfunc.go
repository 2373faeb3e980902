// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// extractors declares the index functions.
//
//	func IndexDeviceByFirmware(dst []string, d *Device) []string {
//		if d.Spec.Firmware == nil {
//			return dst
//		}
//		return append(dst, d.Spec.Firmware.Version)
//	}
func extractors(f *file, t *model.Type) {
	for _, ix := range t.Indexes {
		if ix.Func == "" {
			continue
		}
		slice := "[]" + goType(ix.Value)
		f.function(fmt.Sprintf("%s appends %s to %s.", ix.Func, values(t, ix), ix.Result), "func "+ix.Func,
			[]string{ix.Result + " " + slice, t.ObjectParam + " " + object(t)}, slice,
			strings.TrimSuffix(printed(extraction(f, t, ix)), "\n"))
	}
}

// extraction returns the body of an index function. The sources of a union follow each other.
func extraction(f *file, t *model.Type, ix *model.Index) (body []statement) {
	union := len(ix.Also) > 0
	for _, source := range ix.Sources() {
		e := &extractor{
			f: f, ix: ix, source: source, object: value{code: t.ObjectParam}, namespaced: t.Namespaced,
			bound: map[string]value{}, checked: map[string]bool{}, returns: !union && (!source.Loops() || ix.Kind == model.States),
		}
		start := place{skip: "return " + ix.Result}
		if union {
			start.skip = "" // the next source follows
		}
		if ix.Kind == model.Funcs {
			body = append(body, e.function(t)...)
		} else {
			var tests []*test
			for _, c := range source.If {
				tests = append(tests, e.condition(c, e.object, "")...)
			}
			body = append(body, behind(tests, start.skip, e.path(start))...)
		}
	}
	if union {
		body = unnestGuards(shareGuards(body), "return "+ix.Result)
	}
	if union || ix.Loops() {
		body = append(body, lines("return "+ix.Result)...)
	}
	return body
}

// extractor prints one source of the values of an index. It follows the paths one after the
// other. Each path is nested in the loops of the paths before it, so that several
// multi-valued paths yield every combination. Paths that share a loop share its code.
type extractor struct {
	f          *file
	ix, source *model.Index
	object     value            // the parameter
	namespaced bool             // the type is namespaced
	bound      map[string]value // by prefix: elements and map values that have a variable
	// by prefix: pointers already tested for nil, and filters already tested
	checked map[string]bool
	returns bool   // the function ends with the append; otherwise the append is assigned, since more may follow
	leave   string // follows the append, before the code for else=
}

// value is an expression along a path.
type value struct {
	code    string
	pointer bool
}

func (v value) followed() string {
	if v.pointer {
		return "*" + v.code
	}
	return v.code
}

// index prints the list element or map value v[i].
func (v value) index(i string) string {
	if v.pointer {
		return "(" + v.followed() + ")[" + i + "]"
	}
	return v.code + "[" + i + "]"
}

// place is a position along the paths of an index.
type place struct {
	part  int      // the index of the path
	step  int      // the index of the next step
	value value    // the value reached so far
	done  []string // the keys of the previous paths
	skip  string   // continues the innermost loop, or returns; "" if conditions nest the code after them

	replaced bool // the code for else= is known
}

// on returns the place after the next step, which leads to v.
func (at place) on(v value) place {
	at.step++
	at.value = v
	return at
}

// path prints the code for a path and all later ones.
func (e *extractor) path(at place) []statement {
	switch {
	case at.part < len(e.source.Parts):
		at.step, at.value = 0, e.object
		return e.walk(at)
	case e.ix.Kind == model.Refs:
		return e.reference(at)
	}
	return lines(e.result(at.done))
}

// walk prints the code for the rest of a path and all later ones.
func (e *extractor) walk(at place) []statement {
	part := e.source.Parts[at.part]
	if steps, single := e.source.Shared(); steps == at.step && !at.replaced {
		return e.orElse(at, single)
	}
	if at.step == len(part.Steps) {
		return e.end(at)
	}
	s := part.Steps[at.step]
	known, isKnown := e.bound[part.Prefix(at.step)]
	switch {
	case s.Op == model.Match:
		return e.match(at, s)
	case isKnown:
		return e.walk(at.on(known))
	case s.Op == model.Field:
		return e.behind(at, value{code: at.value.code + "." + s.Name, pointer: s.Pointer})
	case e.source.Spreads() && at.step == len(part.Steps)-1:
		return lines(e.add(at.value.followed() + "..."))
	case s.Op == model.Lookup:
		next := value{code: s.Var, pointer: s.Pointer}
		e.bound[part.Prefix(at.step)] = next
		return e.lookup(at, s, next)
	}
	return e.loop(at, s)
}

// behind prints the code after a step that leads to next. A nil next has no value.
func (e *extractor) behind(at place, next value) []statement {
	set := e.check(at, next)
	return guarded("", set, at.skip, e.walk(at.on(next)))
}

// end prints the code for the later paths, once the value of a path is reached.
func (e *extractor) end(at place) []statement {
	part := e.source.Parts[at.part]
	if part.Literal != "" {
		at.value = value{code: part.Literal}
	}
	rest := e.path(place{part: at.part + 1, done: append(at.done, at.value.key(part)), skip: at.skip})
	switch {
	case part.Convert != nil && part.Convert.Unset:
		return guarded("", at.value.isSet(), at.skip, rest)
	case e.source.OmitEmpty:
		return guarded("", at.value.nonzero(part), at.skip, rest)
	}
	return rest
}

// lookup prints the lookup of a map value and the code after it.
func (e *extractor) lookup(at place, s *model.Step, next value) []statement {
	part, found := e.source.Parts[at.part], at.value.index(strconv.Quote(s.Name))
	last := at.step == len(part.Steps)-1
	switch {
	case last && e.source.Split && !s.Pointer:
		return e.walk(at.on(value{code: found}))
	case s.Pointer, last && (e.ix.Kind == model.Refs || e.source.OmitEmpty || part.Convert != nil && part.Convert.Unset):
		// Nil, empty and unset values are skipped, present or not.
		set := e.check(at, next)
		return guarded(s.Var+" := "+found, set, at.skip, e.walk(at.on(next)))
	}
	return guarded(s.Var+", ok := "+found, is("ok"), at.skip, e.walk(at.on(next)))
}

// loop prints a loop over a list or map with the code after it as its body. A struct that
// the body uses only once needs no variable.
func (e *extractor) loop(at place, s *model.Step) []statement {
	at.skip = "continue"
	prefix, all := e.source.Parts[at.part].Prefix(at.step), at.value.followed()
	if s.Counter == "" {
		e.bound[prefix] = value{code: s.Var, pointer: s.Pointer}
		return []statement{{line: "for _, " + s.Var + " := range " + all, body: e.behind(at, e.bound[prefix])}}
	}
	element := at.value.index(s.Counter)
	e.bound[prefix] = value{code: "‹" + s.Var + "›", pointer: true} // until its uses are counted
	body := e.behind(at, e.bound[prefix])
	if uses(body, "‹"+s.Var+"›") == 1 {
		replace(body, "‹"+s.Var+"›", element)
	} else {
		replace(body, "‹"+s.Var+"›", s.Var)
		body = append(lines(s.Var+" := &"+element), body...)
	}
	return []statement{{line: "for " + s.Counter + " := range " + all, body: body}}
}

// uses counts how often code occurs in statements, as they are printed.
func uses(body []statement, code string) int { return strings.Count(printed(body), code) }

// replace replaces code in statements.
func replace(body []statement, old, code string) {
	for i := range body {
		s := &body[i]
		s.line = strings.ReplaceAll(s.line, old, code)
		if s.guard != nil {
			s.guard = &test{strings.ReplaceAll(s.guard.fails, old, code), strings.ReplaceAll(s.guard.holds, old, code)}
		}
		replace(s.body, old, code)
	}
}

// check returns the test that the pointer after the next step is set. It returns nil if
// the pointer was tested before, or if IsZero will be called on it.
func (e *extractor) check(at place, v value) *test {
	part := e.source.Parts[at.part]
	prefix, last := part.Prefix(at.step), at.step == len(part.Steps)-1
	if !part.Steps[at.step].Pointer || e.checked[prefix] ||
		last && part.Convert != nil && part.Convert.NilSafe {
		return nil
	}
	e.checked[prefix] = true
	return differs(v.code, "nil")
}

// result prints the append of the values of all paths as one key.
func (e *extractor) result(values []string) string {
	if !e.ix.Composite() {
		return e.add(values[0])
	}
	var parts []string
	for i, p := range e.ix.Parts {
		parts = append(parts, p.Field, values[i])
	}
	return e.add(literal(goType(e.ix.Value), parts...))
}

// add prints the append of v to the result.
func (e *extractor) add(v string) string { return e.set("append(" + e.ix.Result + ", " + v + ")") }

// set prints the assignment of the result. If nothing follows, it returns.
func (e *extractor) set(v string) string {
	if e.returns {
		return "return " + v
	}
	return strings.TrimSuffix(e.ix.Result+" = "+v+"\n"+e.leave, "\n")
}
