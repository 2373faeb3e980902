// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/loadtest"
	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// TestPackages plans a file for the marked types, or reports what cannot be emitted.
func TestPackages(t *testing.T) {
	const fields = "A string ~json:\"a\"~\nB int32 ~json:\"b\"~\nF float64 ~json:\"f\"~"
	for name, test := range map[string]struct {
		markers, more string
		target        model.Target
		want          string // the methods, or the start of the first message
	}{
		"generate":  {"// +index:generate", "", model.Native, ""},
		"plain":     {"// +index:name=A,path=.spec.a", "", model.Native, "ByA"},
		"composite": {"// +index:name=AB,paths={.spec.a,.spec.b}", "", model.Native, "ByAB"},
		"unique":    {"// +index:name=A,path=.spec.a,unique=true", "", model.Native, "ByA ByAAll ByAConflicts"},
		"ordered":   {"// +index:name=B,path=.spec.b,ordered=true", "", model.Native, "ByB ByBRange ByBFrom MinB MaxB"},
		"if":        {"// +index:name=A,path=.spec.a,if=.spec.b!=0", "", model.Native, "ByA"},
		"never": {"// +index:name=A,path=.spec.a,if={.spec.b==1,.spec.b==2}", "", model.Native,
			"no object satisfies .spec.b==1 and .spec.b==2"},
		"else": {"// +index:name=A,path=.spec.a,else=.metadata.name", "", model.Native, "ByA"},
		"needless": {"// +index:name=B,path=.spec.b,else=1", "", model.Native,
			"else=1: path .spec.b leads to int32, which is never absent"},
		"another type": {"// +index:name=A,path=.spec.a,else=.spec.b", "", model.Native,
			"else=.spec.b: it is int32, and path .spec.a leads to string"},
		"labels":  {"// +index:labels", "", model.Native, "ByLabel"},
		"owner":   {"// +index:owner", "", model.Native, "ByOwner ByController"},
		"foreign": {"// +index:name=A,path=.spec.a,unique=true", "", model.ClientGo, "ByA ByAAll HasA CountA"},
		"float":   {"// +index:name=F,path=.spec.f", "", model.Native, "path .spec.f: float64 cannot be a key"},
		"same": {"// +index:name=A,path=.spec.a\n// +index:name=C,path=.spec.a", "", model.Native,
			"C and A, the other at example.com/api/v1/types.go:9:4, are two indexes of the same values"},
		"union": {"// +index:name=A,path=.spec.a\n// +index:name=A,path=.spec.b", "", model.Native,
			"Widget has two indexes named A"},
		"clash": {"// +index:name=A,path=.spec.a,unique=true\n// +index:name=AAll,path=.spec.b", "", model.Native,
			"the index AAll of Widget needs the name WidgetLister.ByAAll, and so the index A of Widget does"},
		"ranges": {"// +index:name=B,path=.spec.b,ordered=true", "", model.ClientGo,
			"the index B of Widget is ordered, and -target=client-go has no ranges"},
		"no list": {"// +index:name=A,path=.spec.a", "", model.ControllerRuntime, "Widget has no list type"},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := loadtest.Program(t, loadtest.Widget(test.markers+"\n", fields)+test.more)
			cfg := target.Options{Dir: "/m", Patterns: []string{"./..."}, Targets: []model.Target{test.target}}
			files, err := plan.Packages(p, collect.All(p, cfg), cfg)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range files {
				f.Name(p, nil)
				for _, ix := range f.Model.Types[0].Indexes {
					got = append(got, ix.Methods()...)
				}
			}
			text := strings.Join(strings.Fields(strings.Join(got, " ")), " ")
			if len(p.Report.List) > 0 {
				text = p.Report.List[0].Message
			}
			if text != test.want && (test.want == "" || !strings.HasPrefix(text, test.want)) {
				t.Errorf("%q, want %q", text, test.want)
			}
		})
	}
}
