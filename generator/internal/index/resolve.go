// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// resolver leads paths through the types of one root.
type resolver struct {
	p    *load.Program
	root *types.Named
	pkg  *types.Package     // that asks for the type, and as which messages write types
	into target.Destination // where the emitted file goes

	dots bool                                  // keys of maps may follow dots, as API servers have it
	fits func(path string, p *model.Part) bool // what a suggested path must fulfill besides; nil: nothing

	below []string // the paths to fields below root, once they have been listed

	unordered map[*model.Part]string // why the values of a part have no order
	texts     map[*model.Part]bool   // parts whose values are strings
}

func NewResolver(p *load.Program, r *served.Root, into target.Destination) *resolver {
	return &resolver{
		p: p, root: r.Named, pkg: r.Pkg.Types, into: into,
		unordered: map[*model.Part]string{}, texts: map[*model.Part]bool{},
	}
}

// inside reports whether the emitted file is in a package, and so may use what is
// not exported there.
func (r *resolver) inside(pkg *types.Package) bool { return pkg != nil && pkg.Path() == r.into.Path }

// pathError is why a path cannot be an index.
type pathError struct {
	offset  int       // in the path's text
	pos     token.Pos // of the field to blame; invalid if the path is
	message string
	part    *model.Part // if the path leads to a value, but that is no key

	hints     []hint // what to write instead, the likeliest first
	otherwise string // what to say if none of the hints resolves
}

// part resolves a path to the value of an index. The error says what to write instead.
func (r *resolver) part(text string) (*model.Part, *pathError) {
	part, bad := r.try(text)
	if bad != nil {
		bad.message += r.advice(bad)
	}
	return part, bad
}

// suggesting returns the resolver with a condition for the paths that it suggests.
func (r *resolver) suggesting(fits func(path string, p *model.Part) bool) *resolver {
	out := *r
	out.fits = fits
	return &out
}

// try is part without the advice.
func (r *resolver) try(text string) (*model.Part, *pathError) {
	path, err := fieldpath.Parse(text)
	if err != nil {
		return nil, r.notParsed(text, err)
	}
	w := r.walk(path)
	for i := range path {
		if bad := w.step(i); bad != nil {
			return nil, bad
		}
	}
	return w.finish()
}

// walk returns what follows a path from the root type.
func (r *resolver) walk(path fieldpath.Path) *walk {
	return &walk{r: r, path: slices.Clone(path), out: &model.Part{Path: path.String()}, t: r.root, declared: r.root}
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
func (r *resolver) selectors(t types.Type, f gotypes.JSONField, text string) ([]*model.Step, string) {
	if promotes(t, f, r.root.Obj().Pkg()) {
		return []*model.Step{{Op: model.Field, Name: f.Leaf().Name(), Text: text}}, ""
	}
	var out []*model.Step
	for i, v := range f.Chain {
		step := &model.Step{Op: model.Field, Name: v.Name()}
		if i == len(f.Chain)-1 {
			step.Text = text
		} else {
			if _, pointer := v.Type().Underlying().(*types.Pointer); pointer && !v.Exported() && !decodesItself(t) {
				return nil, fmt.Sprintf("it leads through the embedded pointer to %s, which is not exported, so that encoding/json refuses to set it; embed the struct by value, or export it", v.Name())
			}
			if !v.Exported() && !r.inside(v.Pkg()) {
				return nil, fmt.Sprintf("it leads through the unexported field %s, and the output is in another package; %s", v.Name(), r.reveal(v.Pkg()))
			}
			follow(v.Type(), step)
		}
		out = append(out, step)
	}
	return out, ""
}

// decodesItself reports whether a type, or a pointer to it, has a way of its own to be read
// from JSON.
func decodesItself(t types.Type) bool {
	return types.NewMethodSet(types.NewPointer(gotypes.Deref(t))).Lookup(nil, "UnmarshalJSON") != nil
}

// ofTypeMeta reports whether a field is the kind or apiVersion of the object.
func ofTypeMeta(f gotypes.JSONField) bool {
	return len(f.Chain) == 2 && gotypes.IsNamed(f.Chain[0].Type(), gotypes.MetaV1Path, "TypeMeta")
}

// promotes reports whether a field of an embedded struct can be selected on the
// struct around it. A method that hides it may be in a file that is not read, see
// [harmless].
func promotes(outer types.Type, f gotypes.JSONField, pkg *types.Package) bool {
	for _, v := range f.Chain[:len(f.Chain)-1] {
		if _, pointer := v.Type().Underlying().(*types.Pointer); pointer {
			return false
		}
	}
	if load.Harmless[f.Leaf().Name()] && !declares(outer, f.Leaf()) {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(outer, true, pkg, f.Leaf().Name())
	return obj == f.Leaf()
}

// declares reports whether a field is one of a struct itself.
func declares(t types.Type, field *types.Var) bool {
	st, ok := gotypes.StructOf(t)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f == field {
			return true
		}
	}
	return false
}

// fieldNamed finds a field by the name that users know it by or, if there is none, by that
// of its tag.
func fieldNamed(st *types.Struct, name string) (gotypes.JSONField, bool) {
	fields := gotypes.JSONFields(st)
	i := slices.IndexFunc(fields, func(f gotypes.JSONField) bool { return f.Shown == name })
	if i < 0 {
		i = slices.IndexFunc(fields, func(f gotypes.JSONField) bool { return f.Name == name })
	}
	if i < 0 {
		return gotypes.JSONField{}, false
	}
	return fields[i], true
}

// unresolved reports a field whose type the type checker could not make out.
func (r *resolver) unresolved(f gotypes.JSONField) *pathError {
	for _, v := range f.Chain {
		if !gotypes.Invalid(v.Type()) {
			continue
		}
		message := fmt.Sprintf("the type of the field %s cannot be resolved", v.Name())
		if v.Pkg() != nil && r.p.Checked[v.Pkg().Path()] != nil {
			message = r.p.WhyUnknown(r.p.Checked[v.Pkg().Path()], v)
		}
		return &pathError{pos: v.Pos(), message: message}
	}
	return nil
}

// passedOver says why nothing would be decoded into a field of a type: the type has, by
// embedding, a method that reads another part of it from all of the JSON; "" if not. A
// method of its own may do anything.
func (r *resolver) passedOver(t types.Type, f gotypes.JSONField) string {
	way := gotypes.Decoder(t)
	if way == nil || len(way) <= len(f.Chain) && slices.Equal(way, f.Chain[:len(way)]) {
		return ""
	}
	by := gotypes.Deref(way[len(way)-1].Type())
	return fmt.Sprintf("nothing would be decoded into it: %s has the method UnmarshalJSON of the %s that it embeds, which reads that alone; give it a method of its own, or that field a name in Go",
		r.show(t), r.show(by))
}

// notInSlim are the JSON names of what neither slim.Meta nor slim.Labeled has.
var notInSlim = []string{
	"annotations", "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers",
	"generateName", "generation", "managedFields", "ownerReferences", "selfLink",
}

// beyondSlim says that a path is to metadata that the root, a slim one, has not; "" if it
// is not.
func (r *resolver) beyondSlim(before, name string) string {
	slim, _ := gotypes.SlimMeta(r.root.Underlying().(*types.Struct))
	switch {
	case slim == "" || before != ".metadata":
		return ""
	case slim == "Meta" && name == "labels":
		return "slim.Meta has none; embed slim.Labeled"
	case slices.Contains(notInSlim, name):
		return "slim." + slim + " does not have it; embed metav1.TypeMeta and metav1.ObjectMeta"
	}
	return ""
}
