// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/fields"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
)

// skipPath is a path to skip, as text and parsed.
type skipPath struct {
	text  string
	steps []skip.Step
}

// fits returns an error if no object of type t can have the path. It accepts fields that t does not
// declare, and any path into a type that decodes itself.
func (p skipPath) fits(t reflect.Type) error {
	var before strings.Builder // the path of t
	for _, step := range p.steps {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if decodesItself(t) {
			return nil
		}
		switch t.Kind() {
		case reflect.Interface:
			return nil
		case reflect.Struct:
			member, known := fields.ByName(t)[step.Name]
			if !known {
				return nil
			}
			t = member.Type
		case reflect.Map:
			t = t.Elem()
		case reflect.Slice, reflect.Array:
			if !step.Any {
				return fmt.Errorf("Skip(%q): %s is a list; write %[2]s[*] for its elements",
					p.text, before.String())
			}
			t = t.Elem()
		default:
			return p.belowScalar(before.String(), t)
		}
		before.WriteString(step.String())
	}
	return nil
}

func (p skipPath) belowScalar(before string, t reflect.Type) error {
	return fmt.Errorf("Skip(%q): %s is a %v and has no fields; "+
		"write a key with dots in brackets, like .metadata.annotations['a.b/c']", p.text, before, t)
}

// parsePath reads a path such as .spec.containers[*].env or .data['a.b'].
func parsePath(path string) ([]skip.Step, error) {
	var steps []skip.Step
	rest := path
	for rest != "" {
		var step skip.Step
		ok := false
		switch {
		case rest[0] == '.':
			end := strings.IndexAny(rest[1:], ".['\"]* ") + 1
			if end == 0 {
				end = len(rest)
			}
			step.Name, rest, ok = rest[1:end], rest[end:], end > 1
		case strings.HasPrefix(rest, "[*]"):
			step.Any, rest, ok = true, rest[len("[*]"):], true
		case strings.HasPrefix(rest, "['"):
			step.Name, rest, ok = strings.Cut(rest[len("['"):], "']")
			ok = ok && step.Name != ""
		}
		if !ok {
			return nil, fmt.Errorf("invalid path %q at %q; write it like "+
				".spec.template, .spec.containers[*].env or .metadata.annotations['a.b/c']", path, rest)
		}
		steps = append(steps, step)
	}
	switch {
	case len(steps) == 0:
		return nil, fmt.Errorf("the path is empty")
	case steps[len(steps)-1].Any:
		return nil, fmt.Errorf("the path %q ends with [*]; add a field, or omit [*] to skip the whole list", path)
	}
	return steps, nil
}
