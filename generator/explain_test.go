// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// TestExplainTarget checks that Explain describes the methods of the first target.
func TestExplainTarget(t *testing.T) {
	dir := module(t, map[string]string{"api/types.go": widgetWithList})
	explain := func(targets ...model.Target) (lister, method string) {
		types, err := generator.Explain(t.Context(), generator.Config{Dir: dir, Patterns: []string{"./api"}, Targets: targets})
		if err != nil || len(types) != 1 {
			t.Fatalf("Explain(%v) = %+v, %v", targets, types, err)
		}
		return types[0].Lister, types[0].Indexes[0].Methods[0].Signature
	}
	for _, test := range []struct {
		given          []model.Target
		lister, method string
	}{
		{nil, "WidgetLister", "ByName(name string) iter.Seq[*Widget]"},
		{[]model.Target{model.ClientGo, model.Native}, "WidgetCacheLister", "ByName(name string) []*Widget"},
	} {
		if lister, method := explain(test.given...); lister != test.lister || method != test.method {
			t.Errorf("Explain(%v) has %s.%s, want %s.%s", test.given, lister, method, test.lister, test.method)
		}
	}
}

// TestExplainPrintsSignaturesOnOneLine holds for methods whose emitted signature is split.
func TestExplainPrintsSignaturesOnOneLine(t *testing.T) {
	long := strings.Replace(widget, "name=Name", "name="+strings.Repeat("LongName", 10), 1)
	dir := module(t, map[string]string{"api/types.go": long})
	types, err := generator.Explain(t.Context(), generator.Config{Dir: dir, Patterns: []string{"./api"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range types[0].Indexes[0].Methods {
		if strings.ContainsAny(method.Signature, "\n\t") {
			t.Errorf("the signature %q has several lines", method.Signature)
		}
	}
}
