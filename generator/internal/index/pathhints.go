// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// byFunctionHint is the remedy for values that no path reaches.
const byFunctionHint = "; return the value from a function, and mark it with +index:func:name=N"

// pathHint is a suggested replacement for a wrong path. It is shown only if the path resolves.
type pathHint struct {
	format       string // has a %s for the path
	path         string
	replacesName bool // of one field
}

// addCandidateHint adds a hint to an error.
func (e *pathError) addCandidateHint(format, path string) *pathError {
	e.candidateHints = append(e.candidateHints, pathHint{format, path, false})
	return e
}

// resolvingHintOrAdvice returns the first hint of an error whose path resolves.
func (r *resolver) resolvingHintOrAdvice(bad *pathError) string {
	for _, h := range bad.candidateHints {
		if path := r.correctedPath(h.path); path != "" {
			return strings.ReplaceAll(h.format, "%s", path)
		}
	}
	return bad.defaultAdvice
}

// correctedPath returns a path if it resolves, or else with further names replaced, or "".
func (r *resolver) correctedPath(path string) string {
	part, wrong := r.resolveWithoutHint(path)
	if wrong == nil && (r.acceptsHint == nil || r.acceptsHint(path, part)) {
		return path
	}
	if wrong != nil {
		for _, h := range wrong.candidateHints {
			if h.replacesName && h.path != path {
				return r.correctedPath(h.path)
			}
		}
	}
	return ""
}

// pathSyntaxError returns the error for a path with a syntax error.
func (r *resolver) pathSyntaxError(text string, err error) *pathError {
	var bad *fieldpath.Error
	if !errors.As(err, &bad) {
		return &pathError{message: err.Error()}
	}
	out := &pathError{offset: bad.Offset, message: fmt.Sprintf("path %s: %s", text, bad.Message)}
	if bad.Offset == 0 && text != "" && !strings.ContainsAny(text[:1], ".[$") {
		out.defaultAdvice = "; write " + fieldpath.Dotted(text)
	}
	return out
}

// addUnknownFieldReason sets the error for a path to a missing field, and suggests similar fields of the struct.
func (r *resolver) addUnknownFieldReason(bad *pathError, at *types.Struct, before, name, rest string) {
	why := cmp.Or(gotypes.Ambiguous(at, name), notEncodedError(at, name), r.missingInSlimError(before, name))
	if oneof := gotypes.InOneof(at, name); why == "" && oneof != "" {
		why = oneof + byFunctionHint
	}
	if why != "" {
		bad.message += ": " + why
		return
	}
	bad.hintSimilarField(at, name, before+".", rest)
}

// notEncodedError returns an error if the struct has a Go field of that name that JSON omits,
// or "".
func notEncodedError(st *types.Struct, name string) string {
	for f := range st.Fields() {
		named := func(j gotypes.JSONField) bool { return j.Leaf() == f }
		if f.Name() == name && !slices.ContainsFunc(gotypes.JSONFields(st), named) {
			return "it is not encoded as JSON"
		}
	}
	return ""
}

// hintSimilarField adds a hint for the field with the most similar name, which stands between before and rest in a
// path.
func (e *pathError) hintSimilarField(at *types.Struct, name, before, rest string) {
	var names []string
	for _, f := range gotypes.JSONFields(at) {
		names = append(names, f.Shown)
		inGo := f.Leaf().Name()
		switch {
		case inGo != name && inGo != strings.ToUpper(name[:1])+name[1:]:
		case !f.Tagged:
			e.defaultAdvice = "; its field " + inGo + " has no name in a json tag; add one, or write " + before + inGo
			return
		default:
			const advice = "; JSON names are used: "
			e.defaultAdvice = advice + before + f.Shown
			e.candidateHints = append(e.candidateHints, pathHint{advice + "%s", before + f.Shown + rest, true})
			return
		}
	}
	if best := diag.Nearest(name, names); best != "" {
		e.candidateHints = append(e.candidateHints, pathHint{"; did you mean %s?", before + best + rest, true})
	}
}

// hintIndexableFields suggests paths to key fields below a struct that cannot be a key.
func (e *pathError) hintIndexableFields(st *types.Struct, path string) {
	for _, f := range gotypes.JSONFields(st) {
		if at := f.Leaf().Pkg(); at != nil && at.Path() == model.Resource {
			e.defaultAdvice = "; or declare the field as resource.Quantity"
			return
		}
		t := gotypes.Deref(f.Leaf().Type())
		if _, isStruct := t.Underlying().(*types.Struct); isStruct || keyError(t, "") != "" {
			continue
		}
		for _, each := range []string{".", "[*]."} {
			e.addCandidateHint("; index a field in it, like %s", path+each+f.Shown)
		}
	}
}

// hintBrackets suggests brackets for the name after a map.
func (e *pathError) hintBrackets(before string, step fieldpath.Step, rest fieldpath.Path) *pathError {
	step.Kind = fieldpath.Key
	e.defaultAdvice = "; write its keys in brackets, as in ['key']"
	return e.addCandidateHint("; write %s", before+step.String()+rest.String())
}

// hintMapValues suggests how to index the values of a map at the end of a path.
func (e *pathError) hintMapValues(path string, of *types.Map) *pathError {
	format := "; on the type, write path=%s for all values"
	if gotypes.IsText(of.Key()) {
		format = "; on the type, write path=" + path + "['key'] for one key, or path=%s for all values"
	}
	return e.addCandidateHint(format, path+"[*]")
}

// pathOrTheTypeText returns the name of the value at path for messages.
func pathOrTheTypeText(path string) string {
	if path == "" {
		return "the type"
	}
	return path
}

// typeText formats a type as the user's package would write it.
func (r *resolver) typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == r.markerPackage {
			return ""
		}
		if name := model.VersionedName(p.Path(), p.Name()); name != "" {
			return name
		}
		return p.Name()
	})
}
