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

// resolver resolves paths against the types of one root.
type resolver struct {
	program       *load.Program
	root          *types.Named
	markerPackage *types.Package     // requests the root; messages name types relative to it
	destination   target.Destination // the package of the emitted file

	allowsReferenceStructs bool // paths may end at structs that refer

	allowsMapKeyAfterDot bool                                  // map keys may follow dots, as in the API server
	acceptsHint          func(path string, p *model.Part) bool // filters suggested paths; nil accepts all

	valueTypes      map[*model.Part]types.Type      // the types of the values of parts
	valueFields     map[*model.Part]*types.Var      // the fields of these values; nil for those of maps
	referenceShapes map[*model.Part]*referenceShape // parts that are the names in structs that refer
}

func NewResolver(p *load.Program, r *served.Root, into target.Destination) *resolver {
	return &resolver{
		program: p, root: r.Named, markerPackage: r.Pkg.Types, destination: into,
		valueTypes: map[*model.Part]types.Type{}, valueFields: map[*model.Part]*types.Var{}, referenceShapes: map[*model.Part]*referenceShape{},
	}
}

// isDestination reports whether the emitted file is in pkg and may use its unexported names.
func (r *resolver) isDestination(pkg *types.Package) bool {
	return pkg != nil && pkg.Path() == r.destination.Path
}

// isText reports whether the values of a part are strings.
func (r *resolver) isText(part *model.Part) bool {
	return r.valueTypes[part] != nil && gotypes.IsText(r.valueTypes[part])
}

// pathError is the reason why a path cannot be indexed.
type pathError struct {
	offset     int       // in the path's text
	fieldPos   token.Pos // the field that caused the error; invalid if the path did
	message    string
	nonKeyPart *model.Part // set if the path leads to a value that is no key

	candidateHints []pathHint // suggestions, most likely first
	defaultAdvice  string     // the advice if no hint resolves
}

// resolvePart resolves a path to an index part. The error includes a suggestion.
func (r *resolver) resolvePart(text string) (*model.Part, *pathError) {
	part, bad := r.resolveWithoutHint(text)
	if bad != nil {
		bad.message += r.resolvingHintOrAdvice(bad)
	}
	return part, bad
}

// withHintFilter returns a copy of the resolver that suggests only paths that satisfy fits.
func (r *resolver) withHintFilter(fits func(path string, p *model.Part) bool) *resolver {
	out := *r
	out.acceptsHint = fits
	return &out
}

// resolveWithoutHint is resolvePart without suggestions.
func (r *resolver) resolveWithoutHint(text string) (*model.Part, *pathError) {
	path, err := fieldpath.Parse(text)
	if err != nil {
		return nil, r.pathSyntaxError(text, err)
	}
	w := r.newWalk(path)
	for i := range path {
		if bad := w.takeStep(i); bad != nil {
			return nil, bad
		}
	}
	return w.finishPart()
}

// newWalk starts a walk along path from the root type.
func (r *resolver) newWalk(path fieldpath.Path) *pathWalk {
	return &pathWalk{resolver: r, path: slices.Clone(path), part: &model.Part{Path: path.String()}, currentType: r.root,
		declaredType: r.root}
}

// dereferenceAndRecord records on a step whether its result is a pointer or a struct, and returns the type
// behind the pointer.
func dereferenceAndRecord(t types.Type, step *model.Step) (types.Type, string) {
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

// fieldSteps returns the Go selectors for a JSON field. It includes the embedded structs if
// Go does not promote the field.
func (r *resolver) fieldSteps(t types.Type, f gotypes.JSONField, text string) ([]*model.Step, string) {
	if len(f.Chain) == 1 || canSelectPromotedField(t, f, r.root.Obj().Pkg()) {
		return []*model.Step{{Op: model.Field, Name: f.Leaf().Name(), Text: text}}, ""
	}
	var out []*model.Step
	for i, v := range f.Chain {
		step := &model.Step{Op: model.Field, Name: v.Name()}
		if i == len(f.Chain)-1 {
			step.Text = text
		} else {
			if _, pointer := v.Type().Underlying().(*types.Pointer); pointer && !v.Exported() &&
				!decodesItself(t) {
				return nil, fmt.Sprintf(
					"it leads through the embedded pointer to %s, which is not exported, "+
						"so encoding/json cannot set it; embed the struct by value, or export it", v.Name())
			}
			if !v.Exported() && !r.isDestination(v.Pkg()) {
				return nil, fmt.Sprintf(
					"it leads through the unexported field %s, and the output is in another package; %s",
					v.Name(), r.unexportedNameRemedy(v.Pkg()))
			}
			dereferenceAndRecord(v.Type(), step)
		}
		out = append(out, step)
	}
	return out, ""
}

// decodesItself reports whether a type or a pointer to it has custom JSON decoding.
func decodesItself(t types.Type) bool {
	return types.NewMethodSet(types.NewPointer(gotypes.Deref(t))).Lookup(nil, "UnmarshalJSON") != nil
}

// ofTypeMeta reports whether a field is the kind or apiVersion of the object.
func ofTypeMeta(f gotypes.JSONField) bool {
	return len(f.Chain) == 2 && gotypes.IsNamed(f.Chain[0].Type(), gotypes.MetaV1Path, "TypeMeta")
}

// canSelectPromotedField reports whether Go promotes a field of an embedded struct to outer.
func canSelectPromotedField(outer types.Type, f gotypes.JSONField, pkg *types.Package) bool {
	for _, v := range f.Chain[:len(f.Chain)-1] {
		if _, pointer := v.Type().Underlying().(*types.Pointer); pointer {
			return false
		}
	}
	if load.Harmless[f.Leaf().Name()] {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(outer, true, pkg, f.Leaf().Name())
	return obj == f.Leaf()
}

// findJSONField returns the field with that user-facing name or, failing that, JSON tag name.
func findJSONField(st *types.Struct, name string) (gotypes.JSONField, bool) {
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

// unresolvedTypeError returns an error for a field whose type could not be resolved, or nil.
func (r *resolver) unresolvedTypeError(f gotypes.JSONField) *pathError {
	for _, v := range f.Chain {
		if !gotypes.Invalid(v.Type()) {
			continue
		}
		message := fmt.Sprintf("the type of the field %s cannot be resolved", v.Name())
		if v.Pkg() != nil && r.program.Checked[v.Pkg().Path()] != nil {
			message = r.program.WhyUnknown(r.program.Checked[v.Pkg().Path()], v)
		}
		return &pathError{fieldPos: v.Pos(), message: message}
	}
	return nil
}

// promotedUnmarshalError returns the reason why JSON decoding leaves a field empty, or "". A decoding
// method promoted from an embedded struct reads that struct only. A method of the type
// itself may fill any field.
func (r *resolver) promotedUnmarshalError(t types.Type, f gotypes.JSONField) string {
	way := gotypes.Decoder(t)
	if way == nil || len(way) <= len(f.Chain) && slices.Equal(way, f.Chain[:len(way)]) {
		return ""
	}
	by := gotypes.Deref(way[len(way)-1].Type())
	return fmt.Sprintf(
		"nothing would be decoded into it: %s has the method UnmarshalJSON of the %s that it embeds, "+
			"which reads that alone; give it a method of its own, or that field a name in Go",
		r.typeText(t), r.typeText(by))
}

// slimOmittedFields lists the JSON names of metadata that package slim omits.
var slimOmittedFields = []string{
	"creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers",
	"generateName", "generation", "managedFields", "ownerReferences", "selfLink",
}

// missingInSlimError returns an error for a path to metadata that a slim root lacks, or "".
func (r *resolver) missingInSlimError(before, name string) string {
	slim, _ := gotypes.SlimMeta(r.root.Underlying().(*types.Struct))
	switch {
	case slim == "" || before != ".metadata":
		return ""
	case slim == "Meta" && name == "labels":
		return "slim.Meta has none; embed slim.Labeled"
	case slim != "Annotated" && name == "annotations":
		return "slim." + slim + " has none; embed slim.Annotated"
	case slices.Contains(slimOmittedFields, name):
		return "slim." + slim + " does not have it; embed metav1.TypeMeta and metav1.ObjectMeta"
	}
	return ""
}
