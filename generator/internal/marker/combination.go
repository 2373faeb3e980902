// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"fmt"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// checkCombination returns the errors of options that are missing or exclude each other.
func (d *definition) checkCombination(o Options, on declarationKind) (bad []Error) {
	fail := func(offset int, format string, args ...any) {
		bad = append(bad, Error{offset, fmt.Sprintf(format, args...)})
	}
	for _, needed := range d.Options {
		if !o.Has(needed.name) && !needed.isOptional {
			fail(0, "+%s needs %s=%s", d.Name, needed.name, needed.kind.example())
		}
	}
	if o.Has("name") {
		if why := indexNameError(o.Text("name")); why != "" {
			fail(o.Word("name").Offset, "%s", why)
		}
	}
	if d.Name == "index" || d.Name == "index:ref" {
		d.checkPathCombination(o, on, fail)
	}
	return bad
}

// checkPathCombination does the same for paths, which depend on the marked declaration.
func (d *definition) checkPathCombination(o Options, on declarationKind, fail func(offset int, format string, args ...any)) {
	hasPath, hasPaths, state := o.Has("path"), o.Has("paths"), d.isStateIndex(o, on)
	if o.Has("value") && !state {
		fail(o.Offset("value"), "value is the key of a state, which has if= and no path, on a type; remove it")
	}
	if o.Has("format") {
		d.checkFormat(o, fail)
	}
	switch {
	case on == OnField && o.Has("namespacePath"):
		fail(o.Offset("namespacePath"), "namespacePath is for markers on a type: move the marker there, with path=")
	case on == OnField && (hasPath || hasPaths):
		fail(max(o.Offset("path"), o.Offset("paths")),
			"path and paths are for markers on a type: move the marker there; on a field, the field is "+
				"the path")
	case on == OnField:
	case d.Name == "index:ref":
		for _, needed := range d.Options[:2] { // name and path
			if !o.Has(needed.name) {
				fail(0, "+%s on a type needs %s=%s", d.Name, needed.name, needed.kind.example())
			}
		}
	case hasPath && hasPaths:
		fail(o.Offset("paths"),
			"path and paths exclude each other; paths={P,Q} makes one index of several paths")
	case !hasPath && !hasPaths && !state && !o.Has("name"):
		fail(0,
			"a marker on a type needs a name and a path: +index:name=N,path=.spec.field, or "+
				"paths={.spec.a,.spec.b}")
	case !hasPath && !hasPaths && !state:
		fail(0, "a marker on a type needs path=.spec.field, or paths={.spec.a,.spec.b}, or the condition of a state: "+
			"if=%s", ifOption.kind.example())
	case !o.Has("name") && state:
		fail(0, "a state needs a name=, which is the name of its method")
	case state:
		for _, option := range []string{"unique", "ordered", "omitempty", "else"} {
			if o.Has(option) {
				fail(o.Offset(option), "%s is for values, and a state has none: write path=, or remove %[1]s", option)
			}
		}
		return
	case !o.Has("name"):
		fail(0, "a marker on a type needs a name=: the method will be By and the name")
	case hasPaths && len(o.Paths()) == 0:
		fail(o.Offset("paths"), "paths={} is empty")
	case hasPaths && o.Flag("omitempty"):
		fail(o.Offset("omitempty"), "omitempty is for one path; a key of several parts has no zero value to leave out")
	}
	if o.Has("else") && (hasPaths || o.Flag("omitempty")) {
		fail(o.Offset("else"), "else is for one path, and not beside omitempty; return the values from a function, and "+
			"mark it with +index:func:name=N")
	}
}

// isStateIndex reports whether the marker is that of a state: a condition without a path.
func (d *definition) isStateIndex(o Options, on declarationKind) bool {
	return d.Name == "index" && on == onType && o.Has("if") && !o.Has("path") && !o.Has("paths")
}

// checkFormat returns the errors of format=.
func (d *definition) checkFormat(o Options, fail func(offset int, format string, args ...any)) {
	parts := len(o.Words("paths"))
	if o.Text("to") == "*" {
		parts = 2
	}
	verbs := strings.ReplaceAll(o.Quoted("format"), "%%", "")
	switch {
	case parts < 2:
		fail(o.Offset("format"), "format is for keys of several parts, of paths= or to=*; remove it")
	case strings.Count(verbs, "%s") != parts || strings.Count(verbs, "%") != parts:
		fail(o.Word("format").Offset, "format has one %%s for each of the %d parts, and %%%% for a percent sign", parts)
	}
}

// indexNameError returns the reason why name is not valid as name=, or "".
func indexNameError(name string) string {
	if before, _, ok := strings.Cut(name, "//"); ok && gotypes.IsIndexName(strings.TrimSpace(before)) {
		return fmt.Sprintf(
			"a marker ends with its line, and a comment cannot follow; write name=%s",
			strings.TrimSpace(before))
	}
	if !gotypes.IsIndexName(name) {
		return fmt.Sprintf("name=%s is not an exported Go name; write name=%s", name, gotypes.Exported(name))
	}
	if rest, ok := strings.CutPrefix(name, "By"); ok && gotypes.IsIndexName(rest) {
		return fmt.Sprintf("name=%s has the By that methods begin with; write name=%s", name, rest)
	}
	return ""
}
