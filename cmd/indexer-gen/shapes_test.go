// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// shape is a Go type that the tests make up.
type shape struct {
	text   string
	kind   kind
	elem   *shape       // of what a pointer, list, array or map leads to
	named  int          // which declaration, if kind is isNamed
	fields []shapeField // of a struct
}

type kind int

const (
	isLeaf kind = iota
	isPointer
	isList
	isMap
	isNamed
	isStruct
)

// shapeField is a field under the name that JSON knows it by; "" if it is inlined.
type shapeField struct {
	json string
	of   *shape
}

// leaves are types that need no other: with names and without, that can be keys and not.
var leaves = []string{
	"string", "string", "string", "bool", "int32", "int64", "uint8", "rune", "uintptr", "float64", "complex128",
	"[]byte", "any", "error", "func()", "chan int", "struct{}", "[0]int", "[3]string", "[2]bool",
	"metav1.Time", "*metav1.Time", "metav1.MicroTime", "metav1.Duration", "metav1.LabelSelector", "metav1.Condition",
	"metav1.FieldsV1", "[]metav1.OwnerReference", "resource.Quantity", "*resource.Quantity", "intstr.IntOrString",
	"runtime.RawExtension", "types.UID", "types.NamespacedName", "netip.Addr", "time.Time", "time.Duration", "Text", "*Text", "hidden",
}

// fieldNames may clash with methods, words of the language, what code imports, and each other.
var fieldNames = []string{
	"Name", "Kind", "Type", "Func", "Range", "Len", "Key", "Items", "List", "Get", "All", "Index", "String", "UID", "Spec",
	"Labels", "Owner", "Namespace", "Context", "Iter", "Store", "Object", "Value", "Values", "To", "From", "L", "K", "V", "Äpfel", "X1", "x1", "small",
}

// shapes makes up the types and markers of a package.
type shapes struct {
	*rand.Rand
	decls   []*shape // what each declared type is
	generic int      // how many of them, the last, are generic
	alias   int      // and how many, the first, are aliases
	out     strings.Builder
}

// packageOf returns the source of a package of made-up types, which compiles.
func packageOf(name string, r *rand.Rand) string {
	s := &shapes{Rand: r, decls: make([]*shape, 4+r.IntN(7)), generic: r.IntN(2), alias: r.IntN(3)}
	fmt.Fprintf(&s.out, "// +groupName=%s.example.com\n// +versionName=v1\npackage %s\n\nimport (\n", name, name)
	for _, path := range []string{"net/netip", "time"} {
		fmt.Fprintf(&s.out, "\t%q\n", path)
	}
	s.out.WriteString(`
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var (
	_ netip.Addr
	_ time.Time
	_ resource.Quantity
	_ runtime.RawExtension
	_ types.UID
	_ intstr.IntOrString
)

type Text string

type hidden int
`)
	for i := len(s.decls) - 1; i >= 0; i-- { // a type may hold those behind it by value
		s.declare(i)
	}
	for i := range 1 + s.IntN(2) {
		s.root(i)
	}
	return s.out.String()
}

// declare makes up the i-th type.
func (s *shapes) declare(i int) {
	generic := i >= len(s.decls)-s.generic
	var of *shape
	switch {
	case generic || s.IntN(4) > 0:
		of = s.structOf(i, generic)
	default:
		of = s.shape(i+1, 0, false)
	}
	s.decls[i] = of
	name := s.name(i)
	switch {
	case generic:
		fmt.Fprintf(&s.out, "\ntype %s[E any] %s\n", name, of.text)
	case i < s.alias:
		fmt.Fprintf(&s.out, "\ntype %s = %s\n", name, of.text)
	default:
		fmt.Fprintf(&s.out, "\ntype %s %s\n", name, of.text)
		if of.kind == isStruct && s.IntN(8) == 0 {
			fmt.Fprintf(&s.out, "\nfunc (o %s) MarshalText() ([]byte, error) { return nil, nil }\n", name)
		}
	}
}

func (s *shapes) name(i int) string {
	if i%5 == 3 {
		return fmt.Sprintf("t%d", i)
	}
	return fmt.Sprintf("T%d", i)
}

// shape makes up a type that holds by value only declarations from the given one on.
// Behind a pointer, list or map it may lead to any that are no aliases, itself too.
func (s *shapes) shape(from, depth int, indirect bool) *shape {
	switch n := s.IntN(12); {
	case depth > 3 || n < 4:
		return &shape{text: leaves[s.IntN(len(leaves))]}
	case n == 4:
		elem := s.shape(from, depth+1, true)
		return &shape{text: "*" + elem.text, kind: isPointer, elem: elem}
	case n == 5:
		elem := s.shape(from, depth+1, true)
		return &shape{text: "[]" + elem.text, kind: isList, elem: elem}
	case n == 6:
		elem := s.shape(from, depth+1, true)
		key := []string{"string", "Text", "int", "bool", "types.UID"}[s.IntN(5)]
		return &shape{text: "map[" + key + "]" + elem.text, kind: isMap, elem: elem}
	case n == 7:
		elem := s.shape(from, depth+1, indirect)
		return &shape{text: "[2]" + elem.text, elem: elem}
	case n == 8:
		return s.structOf(from-1, false)
	}
	i := from
	switch own := len(s.decls) - s.generic - s.alias; {
	case indirect && from > 0 && s.IntN(3) > 0:
		i = s.alias + s.IntN(own)
	case from >= len(s.decls):
		return &shape{text: leaves[s.IntN(len(leaves))]}
	default:
		i += s.IntN(len(s.decls) - from)
	}
	text := s.name(i)
	if i >= len(s.decls)-s.generic {
		text += "[" + s.shape(from, depth+2, false).text + "]"
	}
	return &shape{text: text, kind: isNamed, named: i}
}

// structOf makes up a struct that the i-th declaration is, or holds.
func (s *shapes) structOf(i int, generic bool) *shape {
	out := &shape{kind: isStruct}
	var text strings.Builder
	text.WriteString("struct {\n")
	used := map[string]bool{}
	if j := i + 1 + s.IntN(3); j >= s.alias && j < len(s.decls)-s.generic && s.decls[j].kind == isStruct && s.IntN(2) == 0 { // embedded
		name := s.name(j)
		used[name] = true
		star := []string{"", "*"}[s.IntN(2)]
		tag := []string{"", " `json:\",inline\"`", " `json:\"embedded\"`"}[s.IntN(3)]
		fmt.Fprintf(&text, "\t%s%s%s\n", star, name, tag)
		field := shapeField{of: &shape{kind: isNamed, named: j}}
		if strings.Contains(tag, "embedded") {
			field.json = "embedded"
		}
		out.fields = append(out.fields, field)
	}
	for range 1 + s.IntN(5) {
		name := fieldNames[s.IntN(len(fieldNames))]
		if used[name] {
			continue
		}
		used[name] = true
		of := s.shape(i+1, 1, false)
		if generic && s.IntN(3) == 0 {
			of = &shape{text: []string{"E", "*E", "[]E", "map[string]E"}[s.IntN(4)]}
		}
		json, tag := strings.ToLower(name), ""
		switch s.IntN(12) {
		case 0:
			json = name
		case 1:
			tag = " `json:\"-\"`"
		case 2:
			json = "shared"
			tag = " `json:\"shared\"`"
		case 3:
			json = "dot.ted"
			tag = " `json:\"dot.ted,omitempty\"`"
		default:
			tag = fmt.Sprintf(" `json:\"%s,omitempty\"`", json)
		}
		if s.IntN(6) == 0 {
			text.WriteString(s.fieldMarker())
		}
		fmt.Fprintf(&text, "\t%s %s%s\n", name, of.text, tag)
		out.fields = append(out.fields, shapeField{json, of})
	}
	text.WriteString("}")
	out.text = text.String()
	return out
}

func (s *shapes) fieldMarker() string {
	return "\t// +index" + []string{"", "", ":ordered=true", ":unique=true", ":name=Own", ":unique=maybe", ":path=.spec"}[s.IntN(7)] + "\n"
}

// root makes up the i-th root type.
func (s *shapes) root(i int) {
	spec, status := s.shape(0, 0, false), s.structOf(-1, false)
	root := &shape{kind: isStruct, fields: []shapeField{{"spec", spec}, {"status", status}, {"metadata", &shape{}}}}
	s.out.WriteString("\n")
	for j := range 1 + s.IntN(5) {
		path := func() string { return s.path(root) }
		flags := []string{"", "", ",unique=true", ",ordered=true", ",ordered=true,unique=true"}[s.IntN(5)]
		switch s.IntN(8) {
		case 0:
			fmt.Fprintf(&s.out, "// +index:owner\n// +index:labels\n")
			if s.IntN(2) == 0 {
				fmt.Fprintf(&s.out, "// +kubebuilder:selectablefield:JSONPath=`%s`\n", path())
			}
		case 1:
			fmt.Fprintf(&s.out, "// +index:ref:name=R%d,path=%s\n", j, path())
		case 2, 3:
			fmt.Fprintf(&s.out, "// +index:name=P%d,paths={%s,%s}%s\n", j, path(), path(), flags)
		default:
			fmt.Fprintf(&s.out, "// +index:name=N%d,path=%s%s\n", j, path(), flags)
		}
	}
	fmt.Fprintf(&s.out, "type Root%d struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata\"`\n\tSpec %s `json:\"spec\"`\n\tStatus %s `json:\"status\"`\n}\n",
		i, spec.text, status.text)
	if s.IntN(2) == 0 {
		fmt.Fprintf(&s.out, "\ntype Root%dList struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ListMeta `json:\"metadata\"`\n\tItems []Root%d `json:\"items\"`\n}\n", i, i)
	}
	if s.IntN(2) == 0 {
		result := s.shape(0, 2, false).text
		fmt.Fprintf(&s.out, "\n// +index:func:name=F%d\nfunc f%d(o *Root%d) (v %s) { return v }\n", i, i, i, result)
	}
}

// path makes up a path that most likely leads somewhere.
func (s *shapes) path(at *shape) string {
	if s.IntN(6) == 0 {
		return []string{".metadata.name", ".metadata.labels['a,b']", ".metadata.labels", ".metadata.creationTimestamp", ".metadata.ownerReferences[*].uid",
			".metadata.annotations[*]", ".kind", ".status", ".spec..a", ".spec['a b']", `.spec[?(@.name=="x")].kind`}[s.IntN(11)]
	}
	path := ""
	for range 12 {
		switch at.kind {
		case isNamed:
			at = s.decls[at.named]
			continue
		case isStruct:
			f := at.fields[s.IntN(len(at.fields))]
			switch {
			case strings.Contains(f.json, "."):
				path += "['" + f.json + "']"
			case f.json != "":
				path += "." + f.json
			}
			at = f.of
			continue
		case isPointer:
		case isList:
			path += []string{"[*]", "[*]", "", `[?(@.name=="x")]`}[s.IntN(4)]
		case isMap:
			path += []string{"[*]", "['k']", ""}[s.IntN(3)]
		default:
			return path
		}
		at = at.elem
	}
	return path
}
