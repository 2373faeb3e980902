// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// declareKeyStructs declares the key structs of composite indexes.
//
//	type DeviceSitePhaseKey struct {
//		Site  string      // .spec.site
//		Phase DevicePhase // .status.phase
//	}
func declareKeyStructs(f *file, t *model.Type) {
	for _, ix := range t.Indexes {
		if !ix.Composite() {
			continue
		}
		var fields strings.Builder
		for _, p := range ix.Parts {
			fields.WriteString(p.Field + " " + goType(p.Type) + " // " + p.Path + "\n")
		}
		f.declare(fmt.Sprintf("%s is the key of %s.%s", ix.Key, ix.Method, keyFieldFuncsDoc(ix)),
			"type "+ix.Key+" struct {\n"+fields.String()+"}")
		if ix.Ordered {
			declareKeyCompareMethod(f, ix)
		}
	}
}

// keyFieldFuncsDoc names the functions that convert values to fields of the key, each once.
func keyFieldFuncsDoc(ix *model.Index) string {
	var funcs []string
	for _, p := range ix.Parts {
		if !p.Compares() {
			continue
		}
		if name := path.Base(p.Convert.Func.Path) + "." + p.Convert.Func.Name; !slices.Contains(funcs, name) {
			funcs = append(funcs, name)
		}
	}
	if len(funcs) == 0 {
		return ""
	}
	return " Make its fields with " + joinWithAnd(funcs) + "."
}

// declareKeyCompareMethod declares the method that orders a composite key by its parts.
//
//	func (k DeviceSitePhaseKey) Compare(other DeviceSitePhaseKey) int {
//		return cmp.Or(cmp.Compare(k.Site, other.Site), cmp.Compare(k.Phase, other.Phase))
//	}
func declareKeyCompareMethod(f *file, ix *model.Index) {
	var each []string
	for _, p := range ix.Parts {
		if p.Compares() {
			each = append(each, fmt.Sprintf("k.%s.Compare(other.%[1]s)", p.Field))
		} else {
			each = append(each, fmt.Sprintf("«cmp».Compare(k.%s, other.%[1]s)", p.Field))
		}
	}
	f.declare("Compare orders keys by their fields, first to last.",
		fmt.Sprintf("func (k %s) Compare(other %[1]s) int {\nreturn «cmp».Or(%s)\n}", ix.Key,
			strings.Join(each, ", ")))
}
