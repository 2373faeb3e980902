// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

const MetaV1Path = "k8s.io/apimachinery/pkg/apis/meta/v1"

// embeddedMeta is a struct that a root type embeds by value.
type embeddedMeta struct{ pkgPath, pkgName, name, jsonTag string }

var embeddedMetas = []embeddedMeta{
	{MetaV1Path, "metav1", "TypeMeta", ",inline"},
	{SlimPath, "slim", "Annotated", "metadata"}, // which embeds Labeled, which embeds Meta
	{SlimPath, "slim", "Labeled", "metadata"},
	{SlimPath, "slim", "Meta", "metadata"},
}

func (b embeddedMeta) String() string { return b.pkgName + "." + b.name }

// EmbedsOtherwise returns an error if a struct has a base other than by embedding it by value,
// or "". The error includes the remedy.
func EmbedsOtherwise(st *types.Struct) string {
	for f := range st.Fields() {
		i := slices.IndexFunc(embeddedMetas, func(b embeddedMeta) bool {
			return IsNamed(Deref(f.Type()), b.pkgPath, b.name) ||
				f.Embedded() && isNamedStructOrPointer(f.Type()) && embedsMetaAtAnyDepth(f.Type(), b, 0)
		})
		if i >= 0 {
			b := embeddedMetas[i]
			instead := fmt.Sprintf("; write %s `json:%q` in it", b, b.jsonTag)
			_, pointer := types.Unalias(f.Type()).(*types.Pointer)
			is := IsNamed(Deref(f.Type()), b.pkgPath, b.name)
			switch {
			case is && f.Embedded() && pointer:
				return "it embeds a pointer to " + b.String() + ", which may be nil" + instead
			case is && f.Embedded():
				return "" // by value
			case is && b.pkgPath == SlimPath:
				return fmt.Sprintf(
					"its field %s is a %s, which must be embedded%s", f.Name(), b, instead)
			case !is:
				return fmt.Sprintf("it embeds %s only through %s%s", b, f.Name(), instead)
			}
		}
	}
	return ""
}

// EmbedsTwo returns an error if a struct embeds two kinds of metadata, or "".
func EmbedsTwo(st *types.Struct) string {
	var found []string
	for f := range st.Fields() {
		for _, b := range slices.Concat(embeddedMetas[1:], []embeddedMeta{{MetaV1Path, "metav1", "ObjectMeta", "metadata"}}) {
			if f.Embedded() && IsNamed(f.Type(), b.pkgPath, b.name) {
				found = append(found, b.String())
			}
		}
	}
	if len(found) < 2 {
		return ""
	}
	return "it embeds " + strings.Join(found, " and ") + "; keep one of them"
}

// Undecoded returns the reason why JSON decoding leaves the embedded ObjectMeta empty, or "".
func Undecoded(named *types.Named, st *types.Struct) string {
	if !Embeds(st, "ObjectMeta") {
		return ""
	}
	if way := Decoder(named); way != nil {
		return fmt.Sprintf(
			"it has the method UnmarshalJSON of %s, which it embeds; "+
				"give it a method of its own, or that field a name in Go", way[0].Name())
	}
	for _, f := range JSONFields(st) {
		if f.Name == "metadata" && f.Leaf().Embedded() && IsNamed(f.Leaf().Type(), MetaV1Path, "ObjectMeta") {
			return ""
		}
	}
	if why := Ambiguous(st, "metadata"); why != "" {
		return why
	}
	return "write metav1.ObjectMeta `json:\"metadata\"` in it"
}

func isNamedStructOrPointer(t types.Type) bool {
	_, named := types.Unalias(Deref(t)).(*types.Named)
	_, ok := StructOf(t)
	return named && ok
}

// embedsMetaAtAnyDepth reports whether a struct embeds b, at any depth.
func embedsMetaAtAnyDepth(t types.Type, b embeddedMeta, depth int) bool {
	st, ok := StructOf(t)
	if !ok || depth > 8 {
		return false
	}
	for f := range st.Fields() {
		if f.Embedded() && (IsNamed(Deref(f.Type()), b.pkgPath, b.name) || embedsMetaAtAnyDepth(f.Type(), b, depth+1)) {
			return true
		}
	}
	return false
}

// Embeds reports whether the struct embeds the metav1 type of that name.
func Embeds(st *types.Struct, name string) bool {
	for f := range st.Fields() {
		if f.Embedded() && IsNamed(f.Type(), MetaV1Path, name) {
			return true
		}
	}
	return false
}

func IsNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
}
