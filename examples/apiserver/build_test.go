// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"os"
	"path/filepath"
	"testing"
)

func TestServersOfDeletedCheckoutsAreRemoved(t *testing.T) {
	cache, checkout := t.TempDir(), t.TempDir()
	link := func(name, checkout string) string {
		dir := filepath.Join(cache, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(checkout, filepath.Join(dir, checkoutName)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	kept := link("apiserver-1", checkout)
	orphan := link("apiserver-2", filepath.Join(checkout, "deleted"))
	removeOrphans(cache)
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(orphan); !os.IsNotExist(err) {
		t.Errorf("the directory of a deleted checkout: %v", err)
	}
}
