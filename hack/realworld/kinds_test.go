// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package realworld

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// builtinKinds is the generator's table of the kinds of k8s.io/api and their scopes.
const builtinKinds = "../../generator/internal/served/kinds.txt"

// TestBuiltinKinds compares the generator's table of kinds with the URLs that client-go's clientset requests.
// UPDATE=1 writes the table.
func TestBuiltinKinds(t *testing.T) {
	lines := map[string]bool{}
	for r, how := range clientset(t, modules[0], "") {
		_, scope, _ := strings.Cut(how.how, ", ")
		kind := r.kind
		if r.group != "" {
			kind += "." + r.group
		}
		lines[kind+" "+scope] = true
	}
	want := strings.Join(slices.Sorted(maps.Keys(lines)), "\n") + "\n"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(builtinKinds, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(builtinKinds)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is stale; run this test with UPDATE=1", builtinKinds)
	}
}
