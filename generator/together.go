// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"strings"
)

// together says which options do not go together, or are missing.
func (d *definition) together(o givenOptions, on target) (bad []markerError) {
	if d.name == "index" {
		return checkOptions(o, on)
	}
	for _, needed := range d.options {
		switch {
		case !o.has(needed.name) && needed.optional:
		case !o.has(needed.name):
			bad = append(bad, markerError{0, fmt.Sprintf("+%s needs %s=%s", d.name, needed.name, needed.kind.example())})
		case needed.kind == nameValue:
			if why := notIndexName(o.text(needed.name)); why != "" {
				bad = append(bad, markerError{o.word(needed.name).offset, why})
			}
		}
	}
	return bad
}

// checkOptions says which options of +index do not go together.
func checkOptions(o givenOptions, on target) (bad []markerError) {
	fail := func(offset int, format string, args ...any) {
		bad = append(bad, markerError{offset, fmt.Sprintf(format, args...)})
	}
	if o.has("name") {
		if why := notIndexName(o.text("name")); why != "" {
			fail(o.word("name").offset, "%s", why)
		}
	}
	hasPath, hasPaths := o.has("path"), o.has("paths")
	switch {
	case on == onField && (hasPath || hasPaths):
		fail(max(o.offset("path"), o.offset("paths")), "path and paths are for markers on a type: move the marker there; on a field, the field is the path")
	case on == onField:
	case hasPath && hasPaths:
		fail(o.offset("paths"), "path and paths exclude each other; paths={P,Q} makes one index of several paths")
	case !hasPath && !hasPaths && !o.has("name"):
		fail(0, "a marker on a type needs a name and a path: +index:name=N,path=.spec.field, or paths={.spec.a,.spec.b}")
	case !hasPath && !hasPaths:
		fail(0, "a marker on a type needs path=.spec.field, or paths={.spec.a,.spec.b}")
	case !o.has("name"):
		fail(0, "a marker on a type needs a name=: the method will be By and the name")
	case hasPaths && len(o.paths()) == 0:
		fail(o.offset("paths"), "paths={} is empty")
	}
	return bad
}

// notIndexName says why a name= cannot be, or "".
func notIndexName(name string) string {
	if before, _, ok := strings.Cut(name, "//"); ok && isIndexName(strings.TrimSpace(before)) {
		return fmt.Sprintf("a marker ends with its line, and a comment cannot follow; write name=%s", strings.TrimSpace(before))
	}
	if !isIndexName(name) {
		return fmt.Sprintf("name=%s is not an exported Go name; write name=%s", name, exported(name))
	}
	if rest, ok := strings.CutPrefix(name, "By"); ok && isIndexName(rest) {
		return fmt.Sprintf("name=%s would make the method By%s; write name=%s", name, name, rest)
	}
	return ""
}
