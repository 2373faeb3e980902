// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestZeroValues(t *testing.T) {
	var r store.Reader[string, *item]
	var ix store.Index[string, *item, string]
	for range r.Snapshot().All() {
		t.Error("an object from nowhere")
	}
	for range r.Keys() {
		t.Error("a key from nowhere")
	}
	for range ix.Of(newFixture().Reader(), "x") {
		t.Error("an object from nowhere")
	}
	if _, ok := r.Get("x"); ok || r.Len() != 0 || ix.Count(r, "") != 0 || r.Stale("x") || r.ResourceVersion() != "" || ix.Name() != "" {
		t.Error("a zero Reader or Index finds something")
	}
	if r.WaitFor(t.Context(), "5") == nil {
		t.Error("a zero Reader has caught up")
	}
}
