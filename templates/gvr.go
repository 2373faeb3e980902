// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// resource declares the GroupVersionResource of a type.
//
//	var DevicesResource = schema.GroupVersionResource{Group: …, Version: …, Resource: …}
func resource(f *jen.File, t *model.Type) {
	declare(f, fmt.Sprintf("%s is the GroupVersionResource of %s.", t.ResourceVar, t.Plural),
		jen.Var().Id(t.ResourceVar).Op("=").Qual(model.Schema, "GroupVersionResource").Values(
			jen.Id("Group").Op(":").Lit(t.Group),
			jen.Id("Version").Op(":").Lit(t.Version),
			jen.Id("Resource").Op(":").Lit(t.Resource),
		))
}
