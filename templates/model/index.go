// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"cmp"
	"reflect"
	"strings"
)

// Kind says where the values of an index come from.
type Kind int

const (
	// Paths indexes the values at one or more paths.
	Paths Kind = iota
	// Owners indexes the UIDs of all owner references.
	Owners
	// Controllers indexes the UID of the controlling owner reference.
	Controllers
	// Labels indexes every label by its key and value.
	Labels
	// Refs indexes the namespace and name in references to other objects.
	Refs
	// Funcs indexes the result of a function.
	Funcs
	// States indexes the objects that satisfy a condition under one literal value.
	States
)

// Options are the options of a marker that are true or false. Each source of a union has its own OmitEmpty;
// the others are those of the whole index.
type Options struct {
	Unique    bool `json:"unique"`  // one object is expected for each value
	Ordered   bool `json:"ordered"` // values have an order
	OmitEmpty bool `json:"-"`       // zero values have no key
}

// Index is one index of a root type, with its query methods.
type Index struct {
	Name  string // "SitePhase"
	Kind  Kind
	Parts []*Part // one for a plain index, more for a composite one
	Value GoType  // the type of the keys; for a composite index, the key struct
	Options

	Namespace *Part     // of Refs: the path of the namespace; nil if it is always the object's own
	To        *Referent // of Refs
	Struct    bool      // of Refs: the path ends at a struct that refers, and Parts[0] is its name
	Split     bool      // of Refs: the value may be namespace/name
	Open      *Open     // of Refs: the fields of the target's kind; nil if To is one kind
	Absent    []Absence // of Refs: what absent fields mean

	DefaultNamespace string // of Refs: what an absent namespace means; "" for the object's own
	Of               Ident  // of Funcs: the function
	Several          bool   // of Funcs: it returns a slice

	If   []*Condition // the object has values if it satisfies them all
	Else *Part        // the value where Parts[0] has none, or only empty strings; nil without else=

	IndexName string // of indexName=: Field of the caches of other projects; "" by default
	Format    string // of format=: the text of a composite key there; "" joins its parts

	Also []*Index // of a union: further sources of values; only their sources and their locals count

	// Names, chosen by AssignNames.
	Method string // BySitePhase, also in the struct of handles; of a state its name
	Field  string // in the caches of other projects: spec.site, BySitePhase
	Const  string // in the caches of other projects: the constant of Field
	Func   string // IndexDeviceBySitePhase; "" if the runtime has the function
	Key    string // DeviceSitePhaseKey; "" unless composite
	KeyVar string // the parameter of queries that take the key struct; "" if they take its parts
	Result string // the slice that the function appends to

	// Of caches of other projects; "" for the native one.
	Has      string // HasSecret
	Count    string // CountSecret, also of a state in the native cache
	Requests string // RequestsBySecret, only of keys of objects in a cache of controller-runtime

	NamespaceVar string // of Refs: the variable of the namespace
	ValueVar     string // of Funcs: the variable of one value
	CountVar     string // the number of values before those of a path with Else

	// Methods of unique and ordered indexes; "" for others.
	All       string    // BySitePhaseAll
	Conflicts string    // BySitePhaseConflicts
	Range     string    // BySitePhaseRange
	From      string    // BySitePhaseFrom
	Min       string    // MinSitePhase
	Max       string    // MaxSitePhase
	Bounds    [2]string // the parameters of Range

	Labeled []string // of Labels in caches of other projects: the methods besides Method
}

// Sources lists the sources of values: the index itself and, of a union, the others.
func (ix *Index) Sources() []*Index { return append([]*Index{ix}, ix.Also...) }

// Spreads reports whether the last list of a source is appended as a whole, without a loop over its elements.
func (ix *Index) Spreads() bool {
	last := len(ix.Parts[0].Steps) - 1
	return ix.Kind == Paths && !ix.Composite() && !ix.OmitEmpty && ix.Parts[0].Convert == nil &&
		ix.Parts[0].Steps[last].Op == Each && !ix.Parts[0].Steps[last].Pointer
}

// Loops reports whether the code of a source has a loop or a condition around its append, so that more follows.
func (ix *Index) Loops() bool {
	if ix.Kind == Funcs {
		convert := ix.Parts[0].Convert
		return convert != nil && (ix.Several || convert.Unset)
	}
	loops := 0
	for _, part := range ix.Parts {
		for _, s := range part.Steps {
			if s.Op == Each || s.Op == EachOfMap {
				loops++
			}
		}
	}
	if ix.Else != nil {
		_, single := ix.Shared()
		return loops > 0 || !single
	}
	return loops > 1 || loops == 1 && !ix.Spreads()
}

// Composite reports whether the index is keyed by a struct of several parts.
func (ix *Index) Composite() bool { return ix.Kind != Labels && len(ix.Parts) > 1 }

// keyedByObjects reports whether the values are the keys of other objects.
func (ix *Index) keyedByObjects() bool {
	return ix.Kind == Refs || ix.Kind == Funcs && ix.Parts[0].IsKey()
}

// hasThreePartsOfOneType reports whether three parts in a row have one type, so that a caller could
// easily confuse them as parameters.
func (ix *Index) hasThreePartsOfOneType() bool {
	for i := range max(0, len(ix.Parts)-2) {
		query := ix.Parts[i].QueryType()
		if reflect.DeepEqual(query, ix.Parts[i+1].QueryType()) &&
			reflect.DeepEqual(query, ix.Parts[i+2].QueryType()) {
			return ix.Composite()
		}
	}
	return false
}

// FieldName returns the name of the index in the caches of other projects.
func (ix *Index) FieldName() string {
	return cmp.Or(ix.IndexName, ix.fieldSelectorPath(), ix.methodName())
}

// methodName returns the name of the query.
func (ix *Index) methodName() string {
	if ix.Kind == States {
		return ix.Name
	}
	return "By" + ix.Name
}

// fieldSelectorPath returns the path of the one field that the index is of, as API servers name it in field selectors, so
// that a query works without a cache if the server can select by the field. It is "" for other indexes.
func (ix *Index) fieldSelectorPath() string {
	if ix.Kind != Paths || ix.Composite() || ix.Parts[0].Convert != nil || len(ix.Also)+len(ix.If) > 0 || ix.Else != nil {
		return ""
	}
	for _, s := range ix.Parts[0].Steps {
		if s.Op != Field {
			return ""
		}
	}
	return strings.TrimPrefix(ix.Parts[0].Path, ".")
}

// Methods lists the methods of the lister that query the index, some of them "".
func (ix *Index) Methods() []string {
	return append([]string{ix.Method, ix.All, ix.Conflicts, ix.Range, ix.From, ix.Min, ix.Max, ix.Has, ix.Count,
		ix.Requests}, ix.Labeled...)
}

// Predeclared lists the predeclared identifiers that emitted code uses.
func (p *Package) Predeclared() []string {
	out := []string{"append", "nil", "string", "bool", "int"}
	for _, t := range p.Types {
		for _, ix := range t.Indexes {
			for _, part := range ix.Parts {
				if part.Type.Elem == nil && part.Type.Ident.Path == "" {
					out = append(out, part.Type.Ident.Name)
				}
			}
		}
	}
	return out
}

// Part is one value of an index key.
type Part struct {
	Path  string // as comments show it: .spec.site
	Type  GoType
	Steps []*Step // from the object to the value; only of Paths and Refs

	Literal string // of Else and of States: the value in Go; "" if Path leads to it

	Convert *Conversion // nil if the value is itself the key
	Basic   Basic       // the kind of the value
	Text    bool        // of Refs: the value needs a conversion to string

	// Names, chosen by AssignNames.
	Field string // in the key struct: Site
	Param string // of the query method: site; "" if Index.KeyVar is set
}

// Multi reports whether one object can have several values of the part.
func (p *Part) Multi() bool {
	for _, s := range p.Steps {
		if s.Op == Each || s.Op == EachOfMap {
			return true
		}
	}
	return len(p.Steps) == 0 && p.Literal == "" // owner references
}

// List splits the path at its last [*] into the list and the rest, which is "" if the path
// ends with the list. It returns "" twice if the path has no list, or has a filter.
func (p *Part) List() (list, rest string) {
	if !p.Multi() || strings.Contains(p.Path, "[?") {
		return "", ""
	}
	list, rest, found := cutAtLast(p.Path, "[*]")
	if !found { // a list at the end of the path needs no [*]
		return p.Path, ""
	}
	if len(p.Steps) > 0 && rest != "" && p.Steps[len(p.Steps)-1].Op == Each {
		return p.Path, "" // a list in a list
	}
	return list, rest
}

// Filter splits the path after its last filter into the filtered list and the rest. It
// returns "" twice if there is no filter, or if another list follows it.
func (p *Part) Filter() (list, rest string) {
	for i := len(p.Steps) - 1; i > 0; i-- {
		switch p.Steps[i].Op {
		case Match:
			filter := p.Steps[i-1].Text
			list, rest, _ = cutAtLast(p.Path, filter)
			return list + filter, rest
		case Each, EachOfMap:
			return "", ""
		}
	}
	return "", ""
}

// Op is the operation of a step.
type Op int

const (
	// Field selects the field Name.
	Field Op = iota
	// Each ranges over the elements of a slice.
	Each
	// EachOfMap ranges over the values of a map.
	EachOfMap
	// Lookup takes the map value under Name. An absent key has no value.
	Lookup
	// Match skips elements and references that do not satisfy Conditions.
	Match
)

// Step is one move along a path.
type Step struct {
	Op   Op
	Name string // Go field name, or map key
	Text string // the step as written in a path: "site", "[*]", "['app']"

	Conditions []*Condition // of Match

	Pointer bool // the result is a pointer; nil has no value
	Struct  bool // the result, or its pointee, is a struct: loops take its address

	// Hints and names for the variables that a loop or lookup binds.
	Singular string // the exported name of one element or value: "Volume"
	Var      string // chosen by AssignNames
	Counter  string // chosen by AssignNames: the counter of a loop over structs
}

// Prefix identifies the steps up to and including the i-th. Paths of one index with a
// common prefix share its code.
func (p *Part) Prefix(i int) string {
	out := ""
	for _, s := range p.Steps[:i+1] {
		switch s.Op {
		case Field:
			out += "." + s.Name
		default:
			out += s.Text
		}
	}
	return out
}
