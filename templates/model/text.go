// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"fmt"
	"strings"
)

// String returns the name of the kind: paths, owner, reference.
func (k Kind) String() string {
	return [...]string{"paths", "owner", "controller", "labels", "reference", "function", "state"}[k]
}

// TypeText returns a type as the emitted file writes it. It requires that AssignNames has
// run.
func (p *Package) TypeText(t GoType) string {
	if t.Elem != nil {
		return fmt.Sprintf("[%d]%s", t.Array, p.TypeText(*t.Elem))
	}
	text := t.Ident.Name
	if i, ok := p.Imports[t.Ident.Path]; ok {
		text = i.Name + "." + text
	}
	if len(t.Args) == 0 {
		return text
	}
	args := make([]string, len(t.Args))
	for i, a := range t.Args {
		args[i] = p.TypeText(a)
	}
	return text + "[" + strings.Join(args, ", ") + "]"
}
