// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"slices"
	"strings"
)

// declarationKind is the kind of declaration that a marker is on.
type declarationKind int

const (
	onType declarationKind = iota
	OnField
	onFunc
)

func (t declarationKind) String() string {
	return [...]string{"a type", "a field", "a function"}[t]
}

// valueKind is the kind of value that an option takes.
type valueKind int

const (
	nameValue  valueKind = iota // name=N
	pathValue                   // path=.spec.field
	pathsValue                  // paths={.spec.a,.spec.b}
	flagValue                   // unique=true
	kindValue                   // to=Gateway.gateway.networking.k8s.io
	scopeValue                  // scope=Cluster
	ifValue                     // if=.spec.type=="A"
	elseValue                   // else=.spec.field, or a literal
	textValue                   // value="true"
)

func (k valueKind) example() string {
	return [...]string{"N", ".spec.field", "{.spec.a,.spec.b}", "true", "Kind.group", "Cluster", `.spec.type=="A"`, ".spec.field", `"text"`}[k]
}

// option is one option of a marker.
type option struct {
	name       string
	kind       valueKind
	isOptional bool
	help       string
}

var (
	uniqueOption = option{name: "unique", kind: flagValue, isOptional: true,
		help: "one object per value: ByN returns it and true, or false; also ByNAll and ByNConflicts"}
	ifOption = option{name: "if", kind: ifValue, isOptional: true,
		help: "only objects that satisfy the condition are indexed; if={A,B} is for both"}
	elseOption = option{name: "else", kind: elseValue, isOptional: true,
		help: "the value if the path has none or only the empty string: a path, or a literal"}
	orderedOption = option{name: "ordered", kind: flagValue, isOptional: true,
		help: "adds ByNRange(from, to), which excludes to, ByNFrom(from), MinN() and MaxN()"}
	indexNameOption = option{name: "indexName", kind: textValue, isOptional: true,
		help: "the name of the index in caches of other projects"}
	formatOption = option{name: "format", kind: textValue, isOptional: true,
		help: "the text of a key of several parts in caches of other projects, with a %s for each part"}
)

// definition is one marker of the language.
type definition struct {
	Name             string // without the +
	declarationKinds []declarationKind
	Options          []option
	refusedOptions   map[string]string // options of other markers, and why this one lacks them
	help             string
	example          string // lines of a Go file
	docsHeading      string // the heading in docs/markers.md
}

// markerDefinitions defines every marker. Parsing, suggestions and the help text derive from it.
var markerDefinitions = []definition{
	{
		Name: "index", declarationKinds: []declarationKind{onType, OnField},
		help:        "ByN(v) yields the objects that have v in the field or, on a root type, at the path",
		docsHeading: "Paths: values in lists and maps",
		example: "// +index:name=NodePhase,paths={.spec.nodeName,.status.phase}\n" +
			"// +index:name=Unfinished,if={.status.phase!=\"Succeeded\",.status.phase!=\"Failed\"}\n" +
			"type Widget struct {\n\t...\n}\n\n" +
			"type WidgetSpec struct {\n\t// +index\n\tNodeName string `json:\"nodeName,omitempty\"`\n}",
		Options: []option{
			{name: "name", kind: nameValue, isOptional: true,
				help: "the method's name after By, or all of it for a state; on a field, by default the name of the field"},
			{name: "path", kind: pathValue, isOptional: true,
				help: "on a root type: the JSON path of the value"},
			{name: "paths", kind: pathsValue, isOptional: true,
				help: "on a root type: the paths of a composite key; ByN(p, q) takes a value for each"},
			{name: "value", kind: textValue, isOptional: true,
				help: "of a state, which has if= and no path: its key in caches of other projects; by default \"true\""},
			{name: "omitempty", kind: flagValue, isOptional: true, help: "objects with the zero value are not indexed"},
			ifOption, elseOption, uniqueOption, orderedOption, indexNameOption, formatOption,
		},
		refusedOptions: map[string]string{
			"namespacePath": "only references have it; write +index:ref:name=N,path=P,namespacePath=Q " +
				"on a root type",
			"to":     "only references have it; write +index:ref",
			"absent": "only references have it; write +index:ref",
			"scope":  "only references have it; write +index:ref",
		},
	},
	{Name: "index:generate", declarationKinds: []declarationKind{onType}, docsHeading: "Types that are not yours",
		help:    "lister, indexer and informer without further indexes",
		example: "// +index:generate\ntype Pod = corev1.Pod"},
	{Name: "index:owner", declarationKinds: []declarationKind{onType}, docsHeading: "All markers and options",
		help:    "ByOwner(uid) and ByController(uid)",
		example: "// +index:owner\ntype Widget struct {\n\t...\n}"},
	{Name: "index:labels", declarationKinds: []declarationKind{onType}, docsHeading: "All markers and options",
		help:    "ByLabel(key, value); List(selector) uses the index",
		example: "// +index:labels\ntype Widget struct {\n\t...\n}"},
	{
		Name: "index:ref", declarationKinds: []declarationKind{onType, OnField},
		help: "ByN(types.NamespacedName), or ByN(name) for a cluster-scoped target, yields the objects that " +
			"refer to that object",
		docsHeading: "References: structs with a kind or a namespace",
		example: "// +index:ref:name=Secret,path=.spec.volumes[*].secretRef,to=Secret\n" +
			"// +index:ref:name=Gateway,path=.spec.parentRefs[*],to=Gateway.gateway.networking.k8s.io\n" +
			"type Widget struct {\n\t...\n}",
		Options: []option{
			{name: "name", kind: nameValue, isOptional: true,
				help: "the method's name after By; on a field, by default the name of the field"},
			{name: "path", kind: pathValue, isOptional: true,
				help: "on a root type: the path of a struct that refers, or of the target's name"},
			{name: "to", kind: kindValue, isOptional: true,
				help: "the target's kind and group, or only the kind for the core group; references to other " +
					"kinds are left out; * is for all kinds, and ByN(kind, key) takes one"},
			{name: "absent", kind: kindValue, isOptional: true,
				help: "the kind and group that an absent kind and group mean, if no default says it"},
			{name: "scope", kind: scopeValue, isOptional: true,
				help: "the target's scope, Cluster or Namespaced, if its type is neither loaded nor of k8s.io/api; " +
					"beside to=*, that of all targets"},
			{name: "namespacePath", kind: pathValue, isOptional: true,
				help: "the path of the target's namespace; if absent or empty, the object's own namespace"},
			ifOption, elseOption, uniqueOption, indexNameOption, formatOption,
		},
		refusedOptions: map[string]string{
			"paths":     "a reference has one path; write path=, and a marker of the same name for each other path",
			"ordered":   "references are not ordered; index the name with +index:name=N,path=P,ordered=true",
			"omitempty": "an empty name is no reference; remove it",
		},
	},
	{
		Name: "index:func", declarationKinds: []declarationKind{onFunc},
		help:        "ByN(v) yields the objects for which func(*T) V or func(*T) []V returns v",
		docsHeading: "Functions: values that no path reaches",
		example: "// +index:func:name=Annotation\nfunc annotations(w *Widget) []string {\n" +
			"\treturn slices.Collect(maps.Keys(w.Annotations))\n}",
		Options: []option{{name: "name", kind: nameValue, help: "the method's name after By"}, uniqueOption,
			orderedOption, indexNameOption},
		refusedOptions: map[string]string{
			"path":      "the function returns the value",
			"paths":     "the function returns the value; for several parts it returns a struct",
			"else":      "the function returns the value",
			"if":        "the function decides which objects have values",
			"omitempty": "a function of type func(*T) []V leaves out what it does not return",
		},
	},
}

// optionKeepsQuotes reports whether values of an option keep their quotes.
func optionKeepsQuotes(name string) bool {
	return slices.ContainsFunc(markerDefinitions, func(d definition) bool {
		o, _ := d.findOption(name)
		return o.kind == ifValue || o.kind == elseValue || o.kind == textValue
	})
}

// findOption returns the option with that name, and whether there is one.
func (d *definition) findOption(name string) (option, bool) {
	i := slices.IndexFunc(d.Options, func(o option) bool { return o.name == name })
	if i < 0 {
		return option{}, false
	}
	return d.Options[i], true
}

// otherPlaceHint returns the remedy for a marker on the wrong kind of declaration.
func (d *definition) otherPlaceHint(on declarationKind) string {
	switch {
	case d.Name == "index" && on == onFunc:
		return "on a function write +index:func:name=N"
	case d.Name == "index:func" && on == onType, d.Name == "index:func" && on == OnField:
		return "write it on a function, or +index:name=N,path=.spec.field on a root type"
	}
	return "write it on " + d.placesDoc(false)
}

func (d *definition) OptionNames() []string {
	var names []string
	for _, o := range d.Options {
		names = append(names, o.name)
	}
	return names
}

// findDefinition returns the definition with that name, or nil.
func findDefinition(name string) *definition {
	i := slices.IndexFunc(markerDefinitions, func(d definition) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return &markerDefinitions[i]
}

func markerNamesWithPlus() []string {
	names := make([]string, len(markerDefinitions))
	for i, d := range markerDefinitions {
		names[i] = "+" + d.Name
	}
	return names
}

// placesDoc lists the declarations that the marker is for. A marker for types is also for aliases of types in other
// modules; error messages omit that.
func (d *definition) placesDoc(aliases bool) string {
	var words []string
	for _, t := range d.declarationKinds {
		words = append(words, t.String())
		if t == onType && aliases {
			words = append(words, "an alias")
		}
	}
	last := len(words) - 1
	return strings.Join(append(words[:max(0, last-1)], strings.Join(words[max(0, last-1):], " or ")), ", ")
}

// Borrowed defines the markers of other tools that request an index.
var Borrowed = []definition{{
	Name: Selectable, declarationKinds: []declarationKind{onType},
	help:        "an index of the field, as if it were marked with +index",
	docsHeading: "All markers and options",
	example:     "// +kubebuilder:selectablefield:JSONPath=.spec.nodeName\ntype Widget struct {\n\t...\n}",
	Options:     []option{{name: "JSONPath", kind: pathValue, help: "the JSON path of the field"}},
}}

// Marker documents a marker of the language.
type Marker struct {
	Name    string // "+index:owner"
	On      string // "a type, an alias or a field"
	Help    string
	Example string // lines of a Go file
	Section string // the heading in docs/markers.md that has more
	Options []MarkerOption
}

// MarkerOption documents an option of a marker.
type MarkerOption struct {
	Name     string
	Value    string // an example
	Help     string
	Optional bool
}

// Markers documents the markers of the language and the borrowed ones.
func Markers() []Marker {
	var out []Marker
	for _, d := range slices.Concat(markerDefinitions, Borrowed) {
		m := Marker{Name: "+" + d.Name, On: d.placesDoc(true), Help: d.help, Example: d.example, Section: d.docsHeading}
		for _, o := range d.Options {
			m.Options = append(m.Options, MarkerOption{o.name, o.kind.example(), o.help, o.isOptional})
		}
		out = append(out, m)
	}
	return out
}
