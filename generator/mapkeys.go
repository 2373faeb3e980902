// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"errors"
	"fmt"
	"go/types"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/model"
)

// notParsed says what is wrong with a path that cannot be parsed: where a map is on the
// way, or only the dot is missing that paths begin with, not that, but what to write.
func (r *resolver) notParsed(text string, err error, dots bool) *pathError {
	var bad *fieldpath.Error
	if !errors.As(err, &bad) {
		return &pathError{message: err.Error()}
	}
	out := &pathError{offset: bad.Offset, message: fmt.Sprintf("path %s: %s", text, bad.Message)}
	if dotted := fieldpath.Dotted(text); bad.Offset == 0 && text != "" && !strings.ContainsAny(text[:1], ".[$") && dotted != fieldpath.Dotted("") {
		if _, below := r.parsed(dotted, dots); below != nil {
			why := strings.TrimPrefix(below.message, "path "+dotted+": ")
			out.message = fmt.Sprintf("path %s: a path begins with a dot; %s", text, why)
		}
		return out
	}
	path, err := fieldpath.Parse(text[:bad.Offset])
	if err != nil || dots {
		return out
	}
	w := r.walk(path, false)
	for i, step := range path {
		before := path[:i]
		if u, ok := w.t.Underlying().(*types.Map); ok && isText(u.Key()) && step.Kind == fieldpath.Name {
			why := inBrackets(before)
			if instead := r.underKey(before, text[step.Offset+1:]); holdsScalars(u) && instead != "" {
				why = "write " + instead
			}
			return &pathError{offset: step.Offset, message: fmt.Sprintf("path %s: %s is a map; %s", text, before, why)}
		}
		if w.step(i) != nil {
			return out
		}
	}
	return out
}

// underKey returns the path to the value of a map under a key, or "" if it cannot be
// indexed, or the text is hardly meant for a key.
func (r *resolver) underKey(before fieldpath.Path, key string) string {
	key = strings.ReplaceAll(key, `\.`, ".") // as kubectl has it
	if strings.ContainsAny(key, `[]'"\`) {
		return ""
	}
	written := before.String() + fieldpath.Step{Kind: fieldpath.Key, Value: key}.String()
	if _, bad := r.part(written); bad != nil {
		return ""
	}
	return written
}

// withKeys says how to write a path of which the i-th step, a name, is behind a map: with
// all that follows for its key if the map has nothing with names, otherwise with the name.
func (w *walk) withKeys(i int, u *types.Map) string {
	before := w.path[:i]
	if holdsScalars(u) {
		key := strings.TrimPrefix(w.path[i:].String(), ".")
		if written := w.r.underKey(before, key); written != "" {
			return "write " + written
		}
	} else if part, bad := w.r.lead(w.path, true); bad == nil {
		return "write " + part.Path
	}
	return inBrackets(before)
}

func inBrackets(before fieldpath.Path) string {
	return fmt.Sprintf("its keys stand in brackets, as in %s['key']", before)
}

// holdsScalars reports whether a path ends with the values of a map, or the elements of
// these.
func holdsScalars(u *types.Map) bool {
	t := deref(u.Elem())
	if list, ok := t.Underlying().(*types.Slice); ok {
		t = deref(list.Elem())
	}
	switch t.Underlying().(type) {
	case *types.Struct:
		scalar := new(model.Part)
		return setKey(scalar, t) == "" && scalar.Convert != nil
	case *types.Map:
		return false
	}
	return true
}
