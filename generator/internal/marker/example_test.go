// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"slices"
	"strings"
	"testing"
)

// TestExamples parses the examples of markers in the help.
func TestExamples(t *testing.T) {
	for _, d := range markerDefinitions {
		found := false
		for line := range strings.Lines(d.example) {
			text, isMarker := strings.CutPrefix(strings.TrimSpace(line), "// ")
			if !isMarker {
				continue
			}
			found = found || strings.HasPrefix(text, "+"+d.Name)
			if !slices.ContainsFunc(d.declarationKinds, func(on declarationKind) bool {
				_, _, bad := parseMarker(text, on)
				return len(bad) == 0
			}) {
				t.Errorf("the example of +%s has a wrong marker: %s", d.Name, text)
			}
		}
		if !found || d.docsHeading == "" {
			t.Errorf("+%s has no example or no section", d.Name)
		}
	}
}
