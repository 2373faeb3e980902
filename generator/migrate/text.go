// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/constant"
	"go/types"
	"strings"
)

// concat joins strings.
func (f *frame) concat(vs ...value) value {
	for i, v := range vs {
		switch v := v.(type) {
		case *text, *choice:
			continue
		case *place:
			if b, ok := v.typ.Underlying().(*types.Basic); ok && b.Info()&(types.IsString|types.IsInteger|types.IsBoolean) != 0 {
				continue
			}
			f.fail("text made of %s", v.typ)
		case *konst:
			if _, ok := stringOf(v); !ok {
				vs[i] = literal(describe(v))
			}
			continue
		}
		f.fail("text made of %s", describe(v))
	}
	return joined(vs)
}

// joined returns the text of parts, with one constant where several follow each other.
func joined(vs []value) value {
	var parts []value
	for _, v := range vs {
		for _, p := range partsOf(v) {
			s, isConst := stringOf(p)
			if last := len(parts) - 1; isConst && last >= 0 {
				if before, ok := stringOf(parts[last]); ok {
					parts[last] = literal(before + s)
					continue
				}
			}
			if !isConst || s != "" {
				parts = append(parts, p)
			}
		}
	}
	switch len(parts) {
	case 0:
		return literal("")
	case 1:
		return parts[0]
	}
	return &text{parts}
}

// zero returns the zero value of a type.
func (f *frame) zero(t types.Type) value {
	t = f.of(t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return literal("")
		case u.Info()&types.IsBoolean != 0:
			return truthOf(false)
		case u.Info()&types.IsInteger != 0:
			return &konst{constant.MakeInt64(0)}
		}
	case *types.Struct, *types.Array:
		return &record{typ: t}
	}
	return none
}

// format evaluates fmt.Sprintf with %s, %v, and %d.
func (f *frame) format(vs []value) value {
	rest, ok := stringOf(vs[0])
	if !ok {
		f.fail("a format that is not constant")
	}
	format, args := rest, f.plain(f.list(vs[1]))
	var parts []value
	for {
		before, after, found := strings.Cut(rest, "%")
		parts = append(parts, literal(before))
		switch {
		case !found:
			if len(args) > 0 {
				f.fail("a format with other verbs than arguments")
			}
			return f.concat(parts...)
		case strings.HasPrefix(after, "%"):
			parts = append(parts, literal("%"))
		case after == "" || !strings.Contains("svd", after[:1]) || len(args) == 0:
			f.fail("the format %q", format)
		default:
			parts, args = append(parts, f.printed(args[0])), args[1:]
		}
		rest = after[1:]
	}
}

// printed returns the text of an argument of package fmt.
func (f *frame) printed(v value) value {
	switch v := v.(type) {
	case *record:
		if strings.HasSuffix(types.TypeString(v.typ, nil), "/types.NamespacedName") {
			return f.concat(f.field(v, 0), literal("/"), f.field(v, 1))
		}
	case *place:
		for _, name := range []string{"String", "Error", "Format"} {
			if method, _, _ := types.LookupFieldOrMethod(v.typ, true, nil, name); method != nil {
				f.fail("text made of a %s, which has a method %s", types.TypeString(v.typ, (*types.Package).Name), name)
			}
		}
	}
	return v
}

// plain returns the elements of a list that has them without conditions.
func (f *frame) plain(l *list) (out []value) {
	for _, it := range l.items {
		if len(it.conds) > 0 {
			f.fail("text made of a list that has elements under conditions")
		}
		out = append(out, it.value)
	}
	return out
}

// join evaluates strings.Join.
func (f *frame) join(vs []value) value {
	l, ok := vs[0].(*list)
	if !ok {
		f.fail("a join of %s", describe(vs[0]))
	}
	var parts []value
	for i, p := range f.plain(l) {
		if i > 0 {
			parts = append(parts, vs[1])
		}
		parts = append(parts, p)
	}
	return f.concat(parts...)
}

// converted returns v as another type.
func (f *frame) converted(v value, t types.Type) value {
	switch v := v.(type) {
	case *place:
		if v.typ == nil || types.IsInterface(t) {
			return v
		}
		from, isBasic := v.typ.Underlying().(*types.Basic)
		to, toBasic := t.Underlying().(*types.Basic)
		if isBasic && toBasic && from.Info()&types.IsInteger != 0 && to.Info()&types.IsString != 0 {
			f.fail("the character of a number")
		}
		return &place{v.steps, t, v.never, v.parent}
	case *record:
		return &record{t, v.fields, v.copied}
	}
	return v
}
