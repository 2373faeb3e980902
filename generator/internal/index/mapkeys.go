// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"errors"
	"fmt"
	"go/types"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// notParsed returns the error for a path with a syntax error. If the path runs through a
// map, the rest is most likely a key without brackets.
func (r *resolver) notParsed(text string, err error) *pathError {
	var bad *fieldpath.Error
	if !errors.As(err, &bad) {
		return &pathError{message: err.Error()}
	}
	out := &pathError{offset: bad.Offset, message: fmt.Sprintf("path %s: %s", text, bad.Message)}
	if bad.Offset == 0 && text != "" && !strings.ContainsAny(text[:1], ".[$") {
		return out.or("; write %s", fieldpath.Dotted(text))
	}
	path, err := fieldpath.Parse(text[:bad.Offset])
	if err != nil || r.dots {
		return out
	}
	w := r.walk(path)
	for i, step := range path {
		if u, ok := w.t.Underlying().(*types.Map); ok && gotypes.IsText(u.Key()) &&
			step.Kind == fieldpath.Name {
			out = &pathError{offset: step.Offset,
				message: fmt.Sprintf("path %s: %s is a map", text, path[:i])}
			return out.withKeys(path[:i].String(), text[step.Offset+1:])
		}
		if w.step(i) != nil {
			return out
		}
	}
	return out
}

// withKeys suggests brackets for the text after a map: its first name, or all of it, since
// keys may contain dots.
func (e *pathError) withKeys(before, rest string) *pathError {
	e.otherwise = "; write its keys in brackets, as in ['key']"
	under := func(key string) string {
		return before + fieldpath.Step{Kind: fieldpath.Key, Value: key}.String()
	}
	end := strings.IndexAny(rest, ".[")
	if end > 0 {
		e.or("; write %s", under(rest[:end])+rest[end:])
	}
	key := strings.ReplaceAll(rest, `\.`, ".") // kubectl escapes dots
	if !strings.ContainsAny(key, `[]'"\`) {
		e.hints = append(e.hints, hint{format: "; write %s", path: under(key), exact: end > 0})
	}
	return e
}

// values suggests how to index the values of a map at the end of a path.
func (e *pathError) values(path string, of *types.Map) *pathError {
	format := "; on the type, write path=%s for all values"
	if gotypes.IsText(of.Key()) {
		format = "; on the type, write path=%k for one key, or path=%s for all values"
	}
	e.hints = append(e.hints, hint{format: format, path: path + "[*]", example: true})
	return e
}
