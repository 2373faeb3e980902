// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package progress_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/generator/progress"
)

// TestStart tests that the work is printed before it is done, and each half minute until it is.
func TestStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		stop := progress.Start(&out, "loading packages")
		if got, want := out.String(), "indexer-gen: loading packages\n"; got != want {
			t.Errorf("Start printed %q, want %q", got, want)
		}
		time.Sleep(61 * time.Second)
		stop()
		want := "indexer-gen: loading packages\nindexer-gen: loading packages, for 30s now\nindexer-gen: loading packages, for 1m0s now\n"
		if got := out.String(); got != want {
			t.Errorf("after a minute it has printed %q, want %q", got, want)
		}
		time.Sleep(time.Minute)
		if got := out.String(); got != want {
			t.Errorf("after stop it has printed %q, want %q", got, want)
		}
	})
}
