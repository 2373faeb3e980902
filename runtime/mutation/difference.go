// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
)

// absent stands for a field or element that only one of two values has.
type absent struct{}

// firstDifference returns the path at which two JSON values differ, and the two values there.
// If they differ at several paths, it returns the first in the order of names.
func firstDifference(path string, was, is any) (at string, x, y any) {
	a, b := parts(was), parts(is)
	if a == nil || b == nil {
		return path, was, is
	}
	either := maps.Clone(a)
	maps.Copy(either, b)
	for _, step := range slices.Sorted(maps.Keys(either)) {
		x, y := part(a, step), part(b, step)
		if !reflect.DeepEqual(x, y) {
			return firstDifference(path+step, x, y)
		}
	}
	return path, was, is
}

var identifier = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// parts returns the fields of a JSON object or the elements of an array by how a path
// continues with them, and nil for other values.
func parts(v any) map[string]any {
	steps := map[string]any{}
	switch v := v.(type) {
	case map[string]any:
		for name, field := range v {
			if identifier.MatchString(name) {
				steps["."+name] = field
			} else {
				steps["['"+name+"']"] = field
			}
		}
	case []any:
		for i, element := range v {
			steps[fmt.Sprintf("[%d]", i)] = element
		}
	default:
		return nil
	}
	return steps
}

func part(parts map[string]any, step string) any {
	if v, ok := parts[step]; ok {
		return v
	}
	return absent{}
}

// decoded returns the value of a valid JSON text. Numbers keep all digits.
func decoded(text []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&v)
	return v
}

// show returns a JSON value as text, truncated for messages.
func show(v any) string {
	if v == (absent{}) {
		return "absent"
	}
	text, _ := json.Marshal(v)
	if runes := []rune(string(text)); len(runes) > 120 {
		return string(runes[:120]) + "…"
	}
	return string(text)
}
