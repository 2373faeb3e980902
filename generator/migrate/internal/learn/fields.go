// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"cmp"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// A fieldPath is the place of a value in objects. It has [*] for the elements of a list and the values of a map.
type fieldPath struct {
	mentionedIndex      int // in learner.mentionedFields; -1 if the function does not mention it
	path                string
	memberJSON          []byte // its name in JSON, and a colon
	jsonClass           jsonClass
	canBeAbsent         bool         // by itself: it is a pointer, a list, or the entry of a map
	isMap               bool         // a list whose elements are the values of a map
	hasOmitEmpty        bool         // it is absent from JSON if it is empty
	children            []*fieldPath // the fields of a struct, with those of inlined ones; or the elements of a list, after the known entries of a map
	candidateStates     []string     // "" if it is absent, or = and its text; the first is unlike all others
	weightedStateGroups [][]string   // groups of states; one is as likely as the other
	opaqueStates        []string
}

type jsonClass byte

const (
	textClass   jsonClass = 's'
	boolClass   jsonClass = 'b'
	numberClass jsonClass = 'i'
	listClass   jsonClass = 'l' // or a map
	structClass jsonClass = 'p'
	opaqueClass jsonClass = 0 // a value that markers do not compare, such as a time
)

// opaqueJSONValues are those of opaque types: times, durations, quantities, small numbers, numbers with a fraction, bytes,
// and addresses. Of each there are two, or a key that is made of one would look like a constant.
var opaqueJSONValues = []string{
	`"2004-01-10T13:37:04Z"`, `"0001-01-01T00:00:00Z"`, `"2904-01-10T13:37:04Z"`, `"7h"`, `"7"`, `7.5`, `"0"`, `"6T"`, `0`, `7`, `6e12`, `-6`,
	`"Nz8="`, `"eHk="`, `"7.0.0.7"`, `"7.0.0.8"`, `"7.0.0.0/8"`, `"8.0.0.0/8"`,
}

var classByKind = map[reflect.Kind]jsonClass{
	reflect.String: textClass, reflect.Bool: boolClass, reflect.Slice: listClass, reflect.Map: listClass, reflect.Struct: structClass,
}

func jsonClassOf(t reflect.Type) jsonClass {
	own, decodes := reflect.New(t).Interface().(json.Unmarshaler)
	switch k := t.Kind(); {
	case decodes && own.UnmarshalJSON([]byte("{}")) != nil: // it is no struct in JSON
		return opaqueClass
	case k >= reflect.Int && k <= reflect.Uint64 && t.Size() > 2: // smaller ones have no room for texts of their own
		return numberClass
	case k == reflect.Slice && t.Elem().Kind() == reflect.Uint8, k == reflect.Map && t.Key().Kind() != reflect.String:
		return opaqueClass
	default:
		return classByKind[k]
	}
}

// zeroState returns the state of a value that is not absent, but empty, 0 or false.
func (c jsonClass) zeroState() string { return "=" + zeroTexts[c] }

var zeroTexts = map[jsonClass]string{boolClass: "false", numberClass: "0"}

// addFieldPath adds the path of a value, and those below it, to the learner.
func (l *learner) addFieldPath(t reflect.Type, path string, isMapEntry, isMentioned bool, enclosingTypes []reflect.Type) *fieldPath {
	s := &fieldPath{mentionedIndex: -1, path: path, canBeAbsent: isMapEntry || t.Kind() == reflect.Pointer}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s.jsonClass, s.isMap = jsonClassOf(t), t.Kind() == reflect.Map
	s.canBeAbsent = s.canBeAbsent || s.jsonClass == listClass
	if l.fieldByPath[path] = s; isMentioned {
		s.mentionedIndex = len(l.mentionedFields)
		l.mentionedFields = append(l.mentionedFields, s)
	}
	l.setCandidateStates(s, t)
	switch enclosingTypes = append(slices.Clip(enclosingTypes), t); {
	case s.jsonClass == structClass && len(slices.DeleteFunc(slices.Clone(enclosingTypes), func(o reflect.Type) bool { return o != t })) < 3:
		l.addStructFields(s, t, isMentioned, enclosingTypes)
	case s.jsonClass == listClass:
		for i := 0; s.isMap && isMentioned && i < len(l.function.Keys); i++ {
			s.children = append(s.children, l.addFieldPath(t.Elem(), path+"['"+l.function.Keys[i]+"']", true, isMentioned, enclosingTypes))
		}
		s.children = append(s.children, l.addFieldPath(t.Elem(), path+elementStep, false, isMentioned, enclosingTypes))
	}
	return s
}

// addStructFields adds the fields of a struct to the children of its path.
func (l *learner) addStructFields(s *fieldPath, t reflect.Type, isMentioned bool, enclosingTypes []reflect.Type) {
	for i := range t.NumField() {
		f, of := t.Field(i), t.Field(i).Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || f.Name == "TypeMeta":
		case name == "" && f.Anonymous && of.Kind() == reflect.Struct:
			l.addStructFields(s, of, isMentioned, enclosingTypes)
		case f.IsExported():
			m := l.addFieldPath(f.Type, s.path+"."+cmp.Or(name, f.Name), false, isMentioned && (name == "metadata" || l.function.Fields[f.Name]), enclosingTypes)
			m.hasOmitEmpty, m.memberJSON = strings.Contains(options, "omit"), append(quotedJSON(cmp.Or(name, f.Name)), ':')
			s.children = append(s.children, m)
		}
	}
}

func (l *learner) setCandidateStates(s *fieldPath, t reflect.Type) {
	add := func(times int, states ...string) {
		if s.candidateStates = append(s.candidateStates, states...); len(states) > 0 {
			s.weightedStateGroups = append(s.weightedStateGroups, slices.Repeat([][]string{states}, times)...)
		}
	}
	switch s.jsonClass {
	case textClass:
		add(3, uniqueTextState(s.mentionedIndex))
	case numberClass:
		add(3, uniqueNumberState(s.mentionedIndex))
	case boolClass:
		add(3, "=true")
	case opaqueClass:
		for _, v := range opaqueJSONValues {
			if json.Unmarshal([]byte(v), reflect.New(t).Interface()) == nil {
				s.opaqueStates = append(s.opaqueStates, "="+v)
			}
		}
		add(3, s.opaqueStates[:min(1, len(s.opaqueStates))]...)
	default:
		add(3, statePresent)
	}
	if s.canBeAbsent {
		add(1, stateAbsent)
	}
	if slices.Contains([]jsonClass{textClass, boolClass, numberClass}, s.jsonClass) && s.path != objectNamespacePath { // which objects have
		add(1, s.jsonClass.zeroState())
	}
	if s.jsonClass == textClass || s.jsonClass == numberClass {
		compared, all := l.function.constants(lastFieldOrKey(s.path), s.jsonClass)
		near := usableStatesUpToLimit(compared)
		add(3, near...)
		add(1, slices.DeleteFunc(usableStatesUpToLimit(all), func(state string) bool { return slices.Contains(near, state) })...)
	}
}

// constants returns the texts or the numbers of the function that it compares with a field of this name, and all of them.
func (f *Function) constants(fieldName string, c jsonClass) (compared, all []string) {
	ofClass := func(words []string) []string {
		return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" || w == "0" || (stateNumber(w) == 0) == (c == numberClass) })
	}
	return ofClass(f.Words[strings.ToLower(fieldName)]), ofClass(f.Words[""])
}

// usableConstant matches constants that may be the value of a field, and the key of a map.
var usableConstant = regexp.MustCompile(`^[^% \n"'\\]*[^% \n"'\\/:._-][^% \n"'\\]*$`)

func usableStatesUpToLimit(constants []string) (states []string) {
	for _, w := range constants {
		if usableConstant.MatchString(w) && len(states) < maxConstantsPerField {
			states = append(states, "="+w)
		}
	}
	return states
}
