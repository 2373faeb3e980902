// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"go/types"
	"strings"
	"unicode"

	"github.com/gobuffalo/flect"
)

// Singular returns the exported name for one element of a list field.
func Singular(v *types.Var) string {
	if v == nil {
		return "Element"
	}
	name, initialism := strings.CutSuffix(v.Name(), "s") // flect mishandles initialisms such as PodIPs
	if name == "" || !initialism || !unicode.IsUpper(rune(name[len(name)-1])) {
		return flect.Singularize(v.Name())
	}
	return name
}

// IsIndexName reports whether s is an exported Go name.
func IsIndexName(s string) bool {
	for i, r := range s {
		if i == 0 && !unicode.IsUpper(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			return false
		}
	}
	return s != ""
}

// Exported returns the exported Go name closest to s.
func Exported(s string) string {
	var b strings.Builder
	up := true
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			up = true
		case b.Len() == 0 && !unicode.IsLetter(r):
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	if !IsIndexName(b.String()) {
		return "Name"
	}
	return b.String()
}
