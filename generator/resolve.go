// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"

	"github.com/indexer-gen/indexer-gen/generator/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/model"
)

// resolver leads paths through the types of one root.
type resolver struct {
	p    *program
	root *types.Named
	pkg  *types.Package // that asks for the type, and as which messages write types
	into destination    // where the emitted file goes

	unordered map[*model.Part]string // why the values of a part have no order
	texts     map[*model.Part]bool   // parts whose values are strings
}

func newResolver(p *program, r *root, into destination) *resolver {
	return &resolver{
		p: p, root: r.named, pkg: r.pkg.Types, into: into,
		unordered: map[*model.Part]string{}, texts: map[*model.Part]bool{},
	}
}

// inside reports whether the emitted file is in a package, and so may use what is
// not exported there.
func (r *resolver) inside(pkg *types.Package) bool { return pkg != nil && pkg.Path() == r.into.path }

// pathError is why a path cannot be an index.
type pathError struct {
	offset  int       // in the path's text
	pos     token.Pos // of the field to blame; invalid if the path is
	message string
}

// part resolves a path to the value of an index.
func (r *resolver) part(text string) (*model.Part, *pathError) {
	path, err := fieldpath.Parse(text)
	if err != nil {
		var bad *fieldpath.Error
		if errors.As(err, &bad) {
			return nil, &pathError{offset: bad.Offset, message: fmt.Sprintf("path %s: %s", text, bad.Message)}
		}
		return nil, &pathError{message: err.Error()}
	}
	return r.resolve(path)
}

// resolve follows the steps of a path from the root type.
func (r *resolver) resolve(path fieldpath.Path) (*model.Part, *pathError) {
	out := &model.Part{Path: path.String()}
	var t types.Type = r.root
	var last *types.Var
	var outer types.Type // what embeds t, if Go promotes the fields of t to it
	embedded := false
	for i, step := range path {
		fail := func(format string, args ...any) *pathError {
			return &pathError{offset: step.Offset, message: fmt.Sprintf("path %s: ", path) + fmt.Sprintf(format, args...)}
		}
		before := path[:i].String()
		if scalar := new(model.Part); setKey(scalar, t) == "" && scalar.Convert != nil {
			return nil, fail("%s is a %s and has nothing below it; write %s", shown(before), r.show(t), before)
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			if step.Kind != fieldpath.Name {
				return nil, fail("%s is not a list or map", shown(before))
			}
			found, ok := fieldNamed(u, step.Value)
			if !ok {
				return nil, fail("%s has no field %s%s", shown(before), step.Value, r.suggest(u, before, step.Value))
			}
			if i == 0 && ofTypeMeta(found) {
				return nil, fail("%s is the same for all objects, and empty in a list", step)
			}
			if bad := r.unresolved(found); bad != nil {
				bad.message = fmt.Sprintf("path %s: %s", path, bad.message)
				return nil, bad
			}
			if outer != nil && promotes(outer, found, r.root.Obj().Pkg()) {
				out.Steps = out.Steps[:len(out.Steps)-1] // d.Name rather than d.ObjectMeta.Name
			}
			steps, why := r.selectors(t, found, step.String())
			if why != "" {
				return nil, fail("%s", why)
			}
			out.Steps = append(out.Steps, steps...)
			embedded = len(steps) == 1 && len(found.chain) == 1 && found.leaf().Embedded()
			last, outer, t = found.leaf(), t, found.leaf().Type()
		case *types.Slice:
			if step.Kind == fieldpath.Match {
				each, match, why := r.filter(u, step, singular(last))
				if why != "" {
					return nil, fail("%s", why)
				}
				out.Steps = append(out.Steps, each, match)
				t, outer, embedded = deref(u.Elem()), nil, false
				continue
			}
			if step.Kind != fieldpath.All {
				return nil, fail("%s is a list; write %s[*]%s", shown(before), before, path[i:])
			}
			out.Steps = append(out.Steps, &model.Step{Op: model.Each, Text: "[*]", Singular: singular(last)})
			t = u.Elem()
		case *types.Map:
			switch {
			case step.Kind == fieldpath.Match:
				return nil, fail("%s is a map, and filters are for lists", shown(before))
			case step.Kind == fieldpath.Name:
				return nil, fail("%s is a map; write %s['%s']%s", shown(before), before, step.Value, path[i+1:])
			case step.Kind == fieldpath.All:
				out.Steps = append(out.Steps, &model.Step{Op: model.EachOfMap, Text: "[*]", Singular: singular(last)})
			case !isText(u.Key()):
				return nil, fail("the keys of %s are not strings", shown(before))
			default:
				out.Steps = append(out.Steps, &model.Step{Op: model.Lookup, Name: step.Value, Text: step.String(), Singular: "value"})
			}
			t = u.Elem()
		case *types.Array:
			return nil, fail("%s is a %s, which is a key as a whole; write path=%s", shown(before), r.show(t), before)
		default:
			return nil, fail("%s is a %s and has nothing below it", shown(before), r.show(t))
		}
		var why string
		if t, why = follow(t, out.Steps[len(out.Steps)-1]); why != "" {
			return nil, fail("%s %s", path[:i+1], why)
		}
		if !embedded || out.Steps[len(out.Steps)-1].Pointer {
			outer = nil
		}
		embedded = false
	}
	return r.finish(path, out, t, last)
}

// finish makes the last type of a path the value of the part: a list of values is
// taken one by one.
func (r *resolver) finish(path fieldpath.Path, out *model.Part, t types.Type, last *types.Var) (*model.Part, *pathError) {
	fail := func(format string, args ...any) (*model.Part, *pathError) {
		return nil, &pathError{message: fmt.Sprintf("path %s: ", path) + fmt.Sprintf(format, args...)}
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
			return fail("%s cannot be a key: it is bytes", r.show(t))
		}
		step := &model.Step{Op: model.Each, Text: "[*]", Singular: singular(last)}
		elem, why := follow(u.Elem(), step)
		if why != "" {
			return fail("its elements %s", why)
		}
		out.Steps = append(out.Steps, step)
		t = elem
	case *types.Map:
		all := ""
		if path.String() == ".metadata.labels" {
			all = "; +index:labels indexes every label by its key and value"
		}
		return fail("it is a map; on the type, write path=%s['key'] for one key, or path=%s[*] for all values%s", path, path, all)
	}
	if why := setKey(out, t); why != "" {
		hint := ""
		if u, ok := t.Underlying().(*types.Struct); ok {
			hint = r.below(u, path, out.Multi())
		}
		return fail("%s cannot be a key: %s%s", r.show(t), why, hint)
	}
	if why := r.hidden(t); why != "" {
		return fail("%s", why)
	}
	if isText(t) {
		r.texts[out] = true
	}
	if why := notOrdered(out, t); why != "" {
		r.unordered[out] = r.show(t) + " " + why
	}
	return out, nil
}

// follow notes on a step whether its result is a pointer and a struct, and
// returns the type behind the pointer.
func follow(t types.Type, step *model.Step) (types.Type, string) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		step.Pointer = true
		t = p.Elem()
		if _, again := t.Underlying().(*types.Pointer); again {
			return nil, "is a pointer to a pointer"
		}
	}
	_, step.Struct = t.Underlying().(*types.Struct)
	return t, ""
}

// selectors returns the Go selectors for a JSON field: the field alone if Go
// promotes it, otherwise the embedded structs on the way too.
func (r *resolver) selectors(t types.Type, f jsonField, text string) ([]*model.Step, string) {
	if promotes(t, f, r.root.Obj().Pkg()) {
		return []*model.Step{{Op: model.Field, Name: f.leaf().Name(), Text: text}}, ""
	}
	var out []*model.Step
	for i, v := range f.chain {
		step := &model.Step{Op: model.Field, Name: v.Name()}
		if i == len(f.chain)-1 {
			step.Text = text
		} else {
			if !v.Exported() && !r.inside(v.Pkg()) {
				return nil, fmt.Sprintf("it leads through the unexported field %s, and the output is in another package; %s", v.Name(), r.reveal(v.Pkg()))
			}
			follow(v.Type(), step)
		}
		out = append(out, step)
	}
	return out, ""
}

// ofTypeMeta reports whether a field is the kind or apiVersion of the object.
func ofTypeMeta(f jsonField) bool {
	return len(f.chain) == 2 && isNamed(f.chain[0].Type(), metav1Path, "TypeMeta")
}

// promotes reports whether a field of an embedded struct can be selected on the
// struct around it.
func promotes(outer types.Type, f jsonField, pkg *types.Package) bool {
	for _, v := range f.chain[:len(f.chain)-1] {
		if _, pointer := v.Type().Underlying().(*types.Pointer); pointer {
			return false
		}
	}
	obj, _, _ := types.LookupFieldOrMethod(outer, true, pkg, f.leaf().Name())
	return obj == f.leaf()
}

func fieldNamed(st *types.Struct, name string) (jsonField, bool) {
	for _, f := range jsonFields(st) {
		if f.name == name {
			return f, true
		}
	}
	return jsonField{}, false
}

// invalid reports whether a type, or what it points to or lists, is unresolved.
func invalid(t types.Type) bool {
	elem, _ := element(t)
	b, ok := elem.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Invalid
}
