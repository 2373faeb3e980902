// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator"
)

const widgetWithList = widget + `
type WidgetList struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ListMeta ` + "`json:\"metadata\"`" + `
	Items           []Widget ` + "`json:\"items\"`" + `
}
`

const (
	apiElsewhere = "module example.com/scratch\n\ngo 1.24.0\n\nrequire (\n\tk8s.io/apimachinery v0.0.0\n" +
		"\texample.com/api v0.0.0\n)\n\nreplace (\n\tk8s.io/apimachinery => ./meta\n\texample.com/api => ./api\n)\n"
	apiModule = "module example.com/api\n\ngo 1.24.0\n\nrequire k8s.io/apimachinery v0.0.0\n"
)

// TestAliasOfAPIModule checks that markers on an alias emit into the package of the alias, and leave the
// module of the types alone.
func TestAliasOfAPIModule(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod": apiElsewhere, "api/go.mod": apiModule,
		"api/v1/types.go": strings.Replace(widget, "// +index:name=Name,path=.metadata.name\n", "", 1),
		"internal/index/types.go": "package index\n\nimport v1 \"example.com/api/v1\"\n\n" +
			"// +index:name=Name,path=.metadata.name\ntype Widget = v1.Widget\n",
	})
	result, err := generator.Run(t.Context(), generator.Config{Dir: dir, Patterns: []string{"./..."}})
	if err != nil || len(result.Files) != 1 || result.Files[0].Name != "internal/index/zz_generated.indexers.go" {
		t.Fatalf("Run() = %+v, %v", result, err)
	}
	if text := string(result.Files[0].Content); !strings.Contains(text, `Group: "example.com", Version: "v1"`) {
		t.Errorf("the group and version are not those of the types: %s", text)
	}
}
