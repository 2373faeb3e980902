// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"slices"
	"testing"
)

// TestTagsInName checks the build tags implied by file names against go/build.
func TestTagsInName(t *testing.T) {
	for name, want := range map[string][]string{
		"types.go":                    nil,
		"linux.go":                    nil,
		"types_linux.go":              {"linux"},
		"types_arm64.go":              {"arm64"},
		"types_linux_arm64.go":        {"linux", "arm64"},
		"types_arm64_linux.go":        {"linux"},
		"types_of_windows_386.go":     {"windows", "386"},
		"types_unix.go":               nil,
		"types_.go":                   nil,
		"_linux.go":                   {"linux"},
		"types_linux.pb.go":           {"linux"},
		"zz_generated.deepcopy.go":    nil,
		"types_Linux.go":              nil,
		"types_none.go":               nil,
		"groupversion_info_darwin.go": {"darwin"},
	} {
		if got := tagsInName(name); !slices.Equal(got, want) {
			t.Errorf("tagsInName(%q) = %q, want %q", name, got, want)
		}
	}
}
