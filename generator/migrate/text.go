// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// concat joins strings.
func (f *frame) concat(n ast.Node, vs ...value) value {
	var parts []value
	for _, v := range vs {
		switch v := v.(type) {
		case *text:
			parts = append(parts, v.parts...)
		case *place:
			if b, ok := v.typ.Underlying().(*types.Basic); !ok || b.Info()&(types.IsString|types.IsInteger|types.IsBoolean) == 0 {
				f.fail(n, "text made of %s", v.typ)
			}
			parts = append(parts, v)
		case *konst:
			if v.Kind() != constant.String {
				v = &konst{constant.MakeString(v.ExactString())}
			}
			parts = append(parts, v)
		default:
			f.fail(n, "text made of %s", describe(v))
		}
	}
	var out []value // adjacent constants joined
	for _, p := range parts {
		c, ok := p.(*konst)
		if ok && len(out) > 0 {
			if before, ok := out[len(out)-1].(*konst); ok {
				out[len(out)-1] = &konst{constant.BinaryOp(before.Value, token.ADD, c.Value)}
				continue
			}
		}
		if !ok || constant.StringVal(c.Value) != "" {
			out = append(out, p)
		}
	}
	switch {
	case len(out) == 0:
		return &konst{constant.MakeString("")}
	case len(out) == 1:
		return out[0]
	}
	return &text{out}
}

// zero returns the zero value of a type.
func (f *frame) zero(n ast.Node, t types.Type) value {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return &konst{constant.MakeString("")}
		case u.Info()&types.IsBoolean != 0:
			return &konst{constant.MakeBool(false)}
		case u.Info()&types.IsInteger != 0:
			return &konst{constant.MakeInt64(0)}
		}
	case *types.Struct:
		if named, ok := t.(*types.Named); ok && isSet(named) {
			return &list{set: true}
		}
		return &record{t, map[string]value{}}
	case *types.Slice, *types.Map:
		return &list{}
	case *types.Pointer, *types.Interface, *types.Signature:
		if _, ok := t.(*types.TypeParam); !ok {
			return &nothing{}
		}
	}
	f.fail(n, "the zero value of %s", t)
	return nil
}

func isSet(named *types.Named) bool {
	return named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "k8s.io/apimachinery/pkg/util/sets"
}

// format evaluates fmt.Sprintf with %s, %v, and %d.
func (f *frame) format(call *ast.CallExpr, vs []value) value {
	c, ok := vs[0].(*konst)
	if !ok {
		f.fail(call, "a format that is not constant")
	}
	rest := constant.StringVal(c.Value)
	args := vs[1:]
	var parts []value
	for {
		before, after, found := strings.Cut(rest, "%")
		parts = append(parts, &konst{constant.MakeString(before)})
		switch {
		case !found:
			if len(args) > 0 {
				f.fail(call, "a format with other verbs than arguments")
			}
			return f.concat(call, parts...)
		case strings.HasPrefix(after, "%"):
			parts = append(parts, &konst{constant.MakeString("%")})
		case after == "" || !strings.Contains("svd", after[:1]) || len(args) == 0:
			f.fail(call, "the format %s", c)
		default:
			if r, ok := args[0].(*record); ok {
				args = append([]value{f.namespacedName(call, r)}, args[1:]...)
			}
			parts, args = append(parts, args[0]), args[1:]
		}
		rest = after[1:]
	}
}

// namespacedName returns the text of a types.NamespacedName.
func (f *frame) namespacedName(n ast.Node, r *record) value {
	if named, ok := types.Unalias(r.typ).(*types.Named); !ok || named.Obj().Name() != "NamespacedName" {
		f.fail(n, "text made of %s", describe(r))
	}
	return f.concat(n, f.field(n, r, "Namespace"), &konst{constant.MakeString("/")}, f.field(n, r, "Name"))
}

func (f *frame) joined(call *ast.CallExpr, vs []value) value {
	l, ok := vs[0].(*list)
	if !ok || len(l.items) == 0 {
		f.fail(call, "a join of %s", describe(vs[0]))
	}
	var parts []value
	for i, it := range l.items {
		if len(it.conds) > 0 {
			f.fail(call, "a join of a list that has elements under conditions")
		}
		if i > 0 {
			parts = append(parts, vs[1])
		}
		parts = append(parts, it.value)
	}
	return f.concat(call, parts...)
}
