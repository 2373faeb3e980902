// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"slices"
	"testing"
)

func TestTagsIn(t *testing.T) {
	for flags, want := range map[string][]string{
		"":                                  nil,
		"-mod=mod":                          nil,
		"-tags=a":                           {"a"},
		"--tags=a,b -mod=mod":               {"a", "b"},
		"-mod=vendor '-tags=a b' -trimpath": {"a", "b"},
		`"-tags=a"  -tags=c`:                {"c"},
		"-tags=":                            nil,
		"'-tags=a":                          {"a"},
	} {
		if got := TagsIn(flags); !slices.Equal(got, want) {
			t.Errorf("tagsIn(%q) = %q, want %q", flags, got, want)
		}
	}
}
