// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"testing"

	"github.com/indexer-gen/indexer-gen/templates"
)

// TestRecord is read as it was written.
func TestRecord(t *testing.T) {
	for _, r := range []record{
		{},
		{all: true},
		{header: Header{File: "../hack/header.txt"}},
		{header: Header{File: "../hack/header.txt", Year: "2024-2026"}},
		{header: Header{File: `../my "own" headers/h.txt`, Year: "the year 2026"}},
		{header: Header{File: "../ünïcode/h=,.txt"}},
		{types: "example.com/api/v1"},
		{all: true, header: Header{File: "h"}, types: "example.com/api/v1", name: "cache"},
	} {
		text := templates.Generated + "\n"
		if line := r.String(); line != "" {
			text += templates.Options + line + "\n"
		}
		for _, before := range []string{"", "// Copyright.\n// Options: -all=nonsense\n\n"} {
			got, _, err := recorded([]byte(before + text + "\npackage p\n// Options: -all\n"))
			if err != nil || got != r {
				t.Errorf("recorded(%q) = %+v, %v", before+text, got, err)
			}
		}
	}
}

// TestRecordErrors have the line of the record.
func TestRecordErrors(t *testing.T) {
	for _, words := range []string{"-nonsense", "-all=maybe", `-header="h`, `-header="\z"`, "-header=,year=2026", "-header=h,year="} {
		_, line, err := recorded([]byte("// Copyright.\n\n" + templates.Generated + "\n" + templates.Options + words + "\n\npackage p\n"))
		if err == nil || line != 4 {
			t.Errorf("recorded(%s): line %d, %v", words, line, err)
		}
	}
}
