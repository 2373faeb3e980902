// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package delta_test

import (
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

func TestTypeString(t *testing.T) {
	for typ, want := range map[delta.Type]string{
		0: "Type(0)", delta.Added: "Added", delta.Stale: "Stale", delta.Kept: "Kept", delta.Kept + 1: "Type(8)", 255: "Type(255)",
	} {
		if got := typ.String(); got != want {
			t.Errorf("Type(%d) is %q, want %q", uint8(typ), got, want)
		}
	}
}
