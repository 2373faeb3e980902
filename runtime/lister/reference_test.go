// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package lister_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/lister"
)

func TestAppendReference(t *testing.T) {
	for text, want := range map[string][]types.NamespacedName{
		"a":     {{Namespace: "own", Name: "a"}},
		"b/a":   {{Namespace: "b", Name: "a"}},
		"":      nil,
		"/":     nil,
		"/a":    nil,
		"b/":    nil,
		"c/b/a": nil,
		"b/a/":  nil,
		"b//a":  nil,
	} {
		if got := lister.AppendReference(nil, "own", text); !slices.Equal(got, want) {
			t.Errorf("%q refers to %v, want %v", text, got, want)
		}
	}
	if got := lister.AppendReference(nil, "", "a"); got != nil {
		t.Errorf("a name without a namespace refers to %v", got)
	}
}
