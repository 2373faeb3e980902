// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// declareResource declares the GroupVersionResource of a type.
func declareResource(f *file, t *model.Type) {
	f.declare(fmt.Sprintf("%s is the GroupVersionResource of %s.", t.ResourceVar, t.Plural),
		fmt.Sprintf("var %s = «schema».GroupVersionResource{Group: %q, Version: %q, Resource: %q}",
			t.ResourceVar, t.Group, t.Version, t.Resource))
}

// declareNewSource declares the function that makes a source from a typed client. A type without
// a list type has none.
func declareNewSource(f *file, t *model.Type) {
	if t.NewSource == "" {
		return
	}
	from, item := "FromClient", identExpr(t.Object)
	if t.Pointers {
		from, item = "FromPointers", objectType(t)
	}
	f.declare(fmt.Sprintf("%s returns a source that reads %s through c, a typed client or its fake; see "+
		"source.FromClient.", t.NewSource, t.Plural),
		fmt.Sprintf(`func %s(c «source».Client[*%s]) %s {
	return «source».%s(c, func(l *%[2]s) []%[5]s {
		return l.Items
	})
}`, t.NewSource, identExpr(*t.List), sourceType(t), from, item))
}

func sourceType(t *model.Type) string { return "«source».Source[" + objectType(t) + "]" }
