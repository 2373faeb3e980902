// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"slices"
	"strings"
)

// assignParams names the parameters of an index's queries. Each is named for its field of
// the key, or for one element of the list that the field holds.
func assignParams(p *Package, t *Type, ix *Index) {
	s := p.newScope()
	s.reserve(t.ListerRecv)
	if ix.Ordered {
		ix.Bounds = [2]string{s.pickName("from", "low"), s.pickName("to", "high")}
	}
	if ix.Kind == Labels {
		ix.Parts[0].Param, ix.Parts[1].Param = s.pickName("key", "labelKey"), s.pickName("value", "labelValue")
		return
	}
	s = p.newScope() // bounds are parameters of other methods
	s.reserve(t.ListerRecv)
	if ix.hasThreePartsOfOneType() {
		ix.KeyVar = s.pickName("key", lowerFirst(t.Kind+"Key"))
		return
	}
	for _, part := range ix.Parts {
		name := part.Field
		n := len(part.Steps)
		if one := part.elementName(); one != "" && n > 1 && part.Steps[n-2].Name == name {
			name, n = one, n-1 // ByCapabilities(capability)
		}
		wanted := []string{lowerFirst(name), lowerFirst(t.Kind + name)}
		if ix.Composite() && n > 0 && part.Steps[n-1].Op == Field {
			wanted = []string{lowerFirst(name), lowerFirst(part.parentNameWord(n-1, t) + name),
				lowerFirst(t.Kind + name)}
		}
		part.Param = s.pickName(wanted...)
	}
}

// assignLocals names the variables of an index function for one source of its values. Two variables that
// would get the same name are both named for their origin.
func assignLocals(p *Package, t *Type, whole, ix *Index) {
	s := p.newScope()
	s.reserve(t.ObjectParam)
	s.reserve("ok")
	for _, source := range whole.Sources() {
		source.reserveUserFunctionName(p, s)
	}
	ix.Result = s.pickName("dst", "out")
	switch ix.Kind {
	case Refs:
		ix.NamespaceVar = s.pickName("namespace")
		if o := ix.Open; o != nil {
			o.Var, o.Kind.Var, o.Group.Var = s.pickName("target"), s.pickName("kind"), s.pickName("group")
			o.Parsed, o.Err = s.pickName("parsed", "groupVersion"), s.pickName("err")
		}
	case Funcs:
		ix.ValueVar = s.pickName("v", "value")
	}
	first := map[string]*Step{} // by prefix
	var steps []*Step
	var names [][]string
	for _, part := range ix.partsAndElse() {
		for i, step := range part.Steps {
			prefix := part.Prefix(i)
			if step.Op == Field || step.Op == Match || first[prefix] != nil {
				continue
			}
			first[prefix] = step
			steps, names = append(steps, step), append(names, part.candidateStepVarNames(i, t))
			if step.Struct && !step.Pointer && step.Op == Each && (i < len(part.Steps)-1 || ix.Open != nil) {
				step.Counter = s.pickCounter()
			}
		}
	}
	chosen := shortestDistinctIfPossible(names)
	for i, name := range chosen {
		if slices.Index(chosen, name) == i {
			steps[i].Var = s.pickName(names[i][slices.Index(names[i], name):]...)
		}
	}
	for i, name := range chosen {
		if slices.Index(chosen, name) < i { // they differ only in characters that names cannot have
			steps[i].Var = s.pickName(name)
		}
	}
	for _, part := range ix.partsAndElse() {
		for i, step := range part.Steps {
			if same := first[part.Prefix(i)]; same != nil && step.Op == same.Op {
				step.Var, step.Counter = same.Var, same.Counter
			}
		}
	}
	if ix.Else != nil {
		ix.CountVar = s.pickName("n" + strings.Repeat("n", slices.Index(whole.Sources(), ix)))
	}
}

// reserveUserFunctionName reserves the name of the user's function that the index function calls.
func (ix *Index) reserveUserFunctionName(p *Package, s localScope) {
	if ix.Kind == Funcs && ix.Of.Path == p.Path {
		s.reserve(ix.Of.Name)
	}
}

// candidateStepVarNames lists candidate names for the variable of the i-th step, shortest first. A map
// value is named for its key, and an element for its list: the variables of
// .spec.disks[*].parts['boot'].ports[*] are disk, boot and port.
func (p *Part) candidateStepVarNames(i int, t *Type) []string {
	step, one := p.Steps[i], p.Steps[i].Singular
	inner := p.nestedLists(i)
	if list := p.listGoFieldName(i); inner == 1 {
		one = list // of lists
	} else if inner > 1 {
		one += "Groups"
	}
	var out []string
	key := mapKeyBaseName(step.Name)
	switch {
	case step.Op == Lookup && key != keyPrefix:
		out = append(out, key, key+step.Singular)
	case inner == 0 && i > 0 && p.Steps[i-1].Op != Field && one == p.listGoFieldName(i):
		out = append(out, "Value") // the singular of Data is Data
	default:
		out = append(out, one)
	}
	if i+1 < len(p.Steps) && p.Steps[i+1].filterWord() != "" {
		out = append(out, p.Steps[i+1].filterWord()+one) // ReadyCondition
	}
	out = append(out, p.parentNameWord(i, t)+one, t.Kind+one)
	for n, name := range out {
		out[n] = lowerFirst(name)
	}
	return out
}

// mapKeyBaseName returns a map key as a name, without the prefix before its last slash.
func mapKeyBaseName(key string) string {
	return exportedCamelCase(key[strings.LastIndex(key, "/")+1:])
}

// nestedLists counts the lists and maps nested in the result of the i-th step, up to the next
// field.
func (p *Part) nestedLists(i int) (n int) {
	for _, s := range p.Steps[i+1:] {
		switch s.Op {
		case Field:
			return n
		case Each, EachOfMap, Lookup:
			n++
		}
	}
	return n
}

// listGoFieldName returns the name of the field that holds the list or map of the i-th step.
func (p *Part) listGoFieldName(i int) string {
	for ; i >= 0; i-- {
		if p.Steps[i].Op == Field {
			return p.Steps[i].Name
		}
	}
	return ""
}

// parentNameWord names the parent of the i-th step: a list element, or a field that not every
// object has, or the object.
func (p *Part) parentNameWord(i int, t *Type) string {
	for i > 0 && p.Steps[i].Op != Field { // to the field that holds the list
		i--
	}
	for i--; i >= 0; i-- {
		switch s := p.Steps[i]; {
		case s.Op == Each, s.Op == EachOfMap:
			return s.Singular
		case s.Op == Lookup:
			return mapKeyBaseName(s.Name)
		case s.Op == Field && s.Name != "Spec" && s.Name != "Status" && s.Name != "ObjectMeta":
			return s.Name
		}
	}
	return t.Kind
}
