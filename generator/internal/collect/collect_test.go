// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package collect_test

import (
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/loadtest"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
)

// TestAll attaches each marker to its declaration, or reports it.
func TestAll(t *testing.T) {
	for name, test := range map[string]struct {
		source               string
		types, fields, funcs int
		want                 string // the start of the first message
	}{
		"type":      {loadtest.Widget("// +index:owner\n// +index:labels\n", ""), 1, 0, 0, ""},
		"field":     {loadtest.Widget("", "// +index\nA string"), 0, 1, 0, ""},
		"function":  {"// +index:func:name=A\nfunc a(*T) int { return 0 }\ntype T struct{}", 0, 0, 1, ""},
		"twice":     {loadtest.Widget("// +index:owner\n// +index:owner\n", ""), 1, 0, 0, "+index:owner is written twice"},
		"two":       {loadtest.Widget("", "// +index\n// +index:name=B\nA string"), 0, 1, 0, "the field has two markers"},
		"unknown":   {loadtest.Widget("// +index:ownr\n", ""), 0, 0, 0, "unknown marker +index:ownr; did you mean +index:owner?"},
		"misplaced": {"// +index\nconst c = 1", 0, 0, 0, "the marker is on a constant"},
		"option":    {loadtest.Widget("", "// +index:uniqe=true\nA string"), 0, 1, 0, "+index has no option uniqe; did you mean unique?"},
		"value":     {loadtest.Widget("", "// +index:unique=yes\nA string"), 0, 1, 0, "unique is true or false, not yes"},
		"path":      {loadtest.Widget("", "// +index:path=.spec.a\nA string"), 0, 0, 0, "path and paths are for markers on a type"},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := loadtest.Program(t, test.source)
			c := collect.All(p, target.Options{Dir: "/m", Patterns: []string{"./..."}})
			if len(c.Types) != test.types || len(c.Fields) != test.fields || len(c.Funcs) != test.funcs {
				t.Errorf("%d types, %d fields, %d functions", len(c.Types), len(c.Fields), len(c.Funcs))
			}
			got := ""
			if len(p.Report.List) > 0 {
				got = p.Report.List[0].Message
			}
			if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
				t.Errorf("reports %q, want %q", got, test.want)
			}
		})
	}
}
