// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// addReferenceIndex adds the index of +index:ref:name=N,path=P on a type.
func (b *Builder) addReferenceIndex(m *collect.Marker) {
	word := m.Options.Word("path")
	if m.Reported(word) {
		b.resolveNamespacePath(m)
		return
	}
	part, bad := b.referenceResolver().resolvePart(word.Text)
	if bad != nil {
		b.reportPathError(m.At(word.Offset+bad.offset), bad)
		b.resolveNamespacePath(m)
		return
	}
	if ix := b.resolveReference(m, part, word.Text, word.Offset); ix != nil {
		b.setOptions(ix, m)
		b.addIndex(ix, m)
	}
}

// referenceResolver returns the resolver of paths of references. It suggests paths to strings and to structs that
// refer.
func (b *Builder) referenceResolver() *resolver {
	r := b.Resolver.withHintFilter(func(_ string, part *model.Part) bool {
		return b.Resolver.isText(part) || b.Resolver.referenceShapes[part] != nil
	})
	r.allowsReferenceStructs = true
	return r
}

// resolveReference returns the index of a reference at a path, whose text is at an offset in the marker. It returns
// nil after reporting an error.
func (b *Builder) resolveReference(m *collect.Marker, part *model.Part, path string, pathOffset int) *model.Index {
	refers := b.Resolver.referenceShapes[part]
	if refers == nil && !b.Resolver.isText(part) {
		b.errorf(m.At(pathOffset), "path %s: it leads neither to a string nor to a struct with a name; "+
			"a reference is one of these", path)
		return nil
	}
	if refers != nil && refers.kindSteps != nil && !m.Options.Has("to") {
		b.errorf(m.At(pathOffset), "path %s: its references have a kind, and keys of several kinds would collide; "+
			"write to=Kind.group for one of them, to=Kind for the core group, as in to=Secret, or to=* for all", path)
		return nil
	}
	to := b.resolveReferent(m)
	if to == nil || len(m.Refused) > 0 {
		return nil
	}
	open := to.Kind == model.AnyKind
	if open && (refers == nil || refers.kindSteps == nil) {
		b.errorf(m.At(m.Options.Word("to").Offset), "path %s: its references have no kind, which to=* needs; write "+
			"to=Kind.group", path)
		return nil
	}
	if to.AnyScope && m.Options.Flag("unique") {
		b.errorf(m.At(m.Options.Offset("unique")), "a reference to any kind has a key for each scope; write scope= if all "+
			"targets have one, or remove unique")
		return nil
	}
	var absent *model.Referent
	said := m.Options.Word("absent")
	if m.Options.Has("absent") {
		if refers == nil || refers.kindSteps == nil && refers.groupSteps == nil || to.Kind == "" {
			b.errorf(m.At(said.Offset), "path %s: its references have no kind and no group that could be absent; "+
				"remove absent", path)
			return nil
		}
		absent = new(model.Referent)
		absent.Kind, absent.Group, _ = strings.Cut(said.Text, ".")
	}
	ix := &model.Index{
		Name: m.Options.Text("name"), Kind: model.Refs, Parts: []*model.Part{part}, To: to,
		Struct: refers != nil,
		Value:  model.GoType{Ident: model.Ident{Name: "string"}},
	}
	if to.Namespaced {
		ix.Value = model.GoType{Ident: model.Ident{Path: model.Types, Name: "NamespacedName"}}
	}
	if refers == nil {
		part.Text = part.Type.Ident != model.Ident{Name: "string"}
		ix.Split = to.Namespaced && !m.Options.Has("namespacePath")
	} else {
		steps := part.Steps[:refers.structSteps:refers.structSteps]
		if last := steps[len(steps)-1]; last.Op == model.Each && !strings.HasSuffix(part.Path, "]") {
			part.Path += "[*]" // a list at the end of a path needs none
		}
		if open {
			kind := &model.Part{Path: part.Path, Steps: steps,
				Type: model.GoType{Ident: model.Ident{Path: model.Schema, Name: "GroupKind"}}}
			ix.Parts, ix.Format = []*model.Part{kind, part}, "%s/%s"
		}
		if why := refers.unknownReferentError(to); why != "" {
			b.errorf(m.At(m.Options.Word("to").Offset), "to=%s: %s", to, why)
			return nil
		}
		matching, means, wrong := refers.kindAndGroupConditions(to, absent)
		if open {
			ix.Open, means, wrong = refers.anyKindFields(steps, absent)
		}
		if wrong != "" {
			option := "absent"
			if !m.Options.Has(option) {
				option = "to"
			}
			b.errorf(m.At(m.Options.Word(option).Offset), "%s=%s: %s", option, m.Options.Text(option), wrong)
			return nil
		}
		ix.Absent = means
		if last := *steps[len(steps)-1]; len(matching) > 0 && last.Op == model.Match { // a filter of the path
			last.Conditions = slices.Concat(last.Conditions, matching)
			steps = append(slices.Clone(steps[:len(steps)-1]), &last)
		} else if len(matching) > 0 {
			steps = append(steps, &model.Step{Op: model.Match, Conditions: matching})
		}
		part.Steps = append(steps[:len(steps):len(steps)], refers.nameSteps...)
		if refers.namespaceSteps != nil && to.Namespaced {
			ix.Namespace = &model.Part{
				Path: part.Path + ".namespace", Steps: append(steps[:len(steps):len(steps)], refers.namespaceSteps...),
				Type: model.GoType{Ident: model.Ident{Name: "string"}}, Text: refers.isNamespaceTypeNamed,
			}
			if a := refers.absentMeaningByJSONName["namespace"]; a != nil {
				ix.DefaultNamespace = a.impliedValue
				ix.Absent = append(ix.Absent, a.describe("namespace"))
			}
		}
	}
	part.Type, part.Basic = ix.Value, model.OtherBasic
	if !to.Namespaced {
		part.Basic = model.StringBasic
	}
	if !b.setOrRefuseNamespace(ix, m, path, pathOffset) {
		return nil
	}
	return ix
}

// setOrRefuseNamespace sets the path of a reference's namespace. It returns false after reporting an error.
func (b *Builder) setOrRefuseNamespace(ix *model.Index, m *collect.Marker, path string, pathOffset int) bool {
	switch {
	case m.Options.Has("namespacePath") && !ix.To.Namespaced:
		b.errorf(m.At(m.Options.Offset("namespacePath")),
			"%s is cluster-scoped, so references to it have no namespace; remove namespacePath", ix.To)
	case m.Options.Has("namespacePath") && ix.Namespace != nil:
		b.errorf(m.At(m.Options.Offset("namespacePath")),
			"path %s: its references have a namespace; remove namespacePath", path)
	case m.Options.Has("namespacePath"):
		return b.setStatedNamespace(ix, m)
	case b.Out.Namespaced || !ix.To.Namespaced || ix.Namespace != nil:
		return true
	case ix.To.AnyScope:
		return true
	case ix.Struct:
		remedy := ""
		if ix.To.Kind == "" {
			remedy = ", or scope=Cluster"
		}
		b.errorf(m.At(pathOffset), "path %s: %s is cluster-scoped and its references have no namespace, so they can "+
			"only refer to cluster-scoped objects; write namespacePath=%s", path, b.Out.Kind, remedy)
	default:
		return b.checkNamespaceStated(m, path, pathOffset)
	}
	return false
}

// setStatedNamespace sets the path of namespacePath. It returns false after reporting an error.
func (b *Builder) setStatedNamespace(ix *model.Index, m *collect.Marker) bool {
	part := b.resolveNamespacePath(m)
	if part == nil {
		return false
	}
	if i := firstUnsharedList(part, ix.Parts[len(ix.Parts)-1]); i >= 0 {
		word := m.Options.Word("namespacePath")
		b.errorf(m.At(word.Offset),
			"path %s: it leads into %s, and path= does not; each name needs one namespace",
			word.Text, part.Steps[i].Text)
		return false
	}
	ix.Namespace = part
	return true
}

// resolveNamespacePath resolves namespacePath to a string. It returns nil after reporting an error, and if the option
// is missing.
func (b *Builder) resolveNamespacePath(m *collect.Marker) *model.Part {
	word := m.Options.Word("namespacePath")
	if m.Reported(word) {
		return nil
	}
	part, bad := b.Resolver.withHintFilter(
		func(_ string, part *model.Part) bool { return b.Resolver.isText(part) }).resolvePart(word.Text)
	switch {
	case bad != nil:
		b.reportPathError(m.At(word.Offset+bad.offset), bad)
		return nil
	case !b.Resolver.isText(part):
		b.errorf(m.At(word.Offset), "path %s: it does not lead to a string; namespaces are strings", word.Text)
		return nil
	}
	part.Text = part.Type.Ident != model.Ident{Name: "string"}
	return part
}

// checkNamespaceStated reports a reference without namespacePath if the object is cluster-scoped and
// a field namespace is beside the field of the name. The object has no namespace of its own, so
// namespaced targets would be indexed under the wrong key.
func (b *Builder) checkNamespaceStated(m *collect.Marker, path string, pathOffset int) bool {
	before := path[:max(0, strings.LastIndex(path, "."))]
	if before == "" || before == ".metadata" {
		return true
	}
	beside := before + ".namespace"
	if part, bad := b.Resolver.resolvePart(beside); bad == nil && b.Resolver.isText(part) {
		b.errorf(m.At(pathOffset),
			"path %s: %s is cluster-scoped, so without a namespace it could only refer to "+
				"cluster-scoped objects; write namespacePath=%s, or path=%s",
			path, b.Out.Kind, beside, before)
		return false
	}
	return true
}

// firstUnsharedList returns the index of the first step of part that iterates over a list or map, unless
// other iterates there too, or -1. A lookup of a map key does not iterate.
func firstUnsharedList(part, other *model.Part) int {
	shared := map[string]bool{}
	for i, s := range other.Steps {
		if s.Op != model.Field {
			shared[other.Prefix(i)] = true
		}
	}
	for i, s := range part.Steps {
		if s.Op != model.Field && s.Op != model.Lookup && !shared[part.Prefix(i)] {
			return i
		}
	}
	return -1
}
