// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package targets

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// failing is a FieldIndexer that records the names of indexes and adds none.
type failing struct{ names []string }

func (f *failing) IndexField(_ context.Context, _ client.Object, name string, values client.IndexerFunc) error {
	f.names = append(f.names, name)
	if keys := values(example()); name == GadgetBySiteField && !slices.Equal(keys, []string{"berlin"}) {
		return errors.New("wrong keys")
	}
	return errors.New("no index " + name)
}

// TestAddIndexes tests that AddGadgetIndexes adds each index of GadgetFieldIndexers once, and returns all errors.
func TestAddIndexes(t *testing.T) {
	var indexer failing
	err := AddGadgetIndexes(t.Context(), &indexer)
	want := slices.Sorted(maps.Keys(GadgetFieldIndexers()))
	if !slices.Equal(indexer.names, want) {
		t.Errorf("AddGadgetIndexes added %q, want %q", indexer.names, want)
	}
	lines := strings.Split(err.Error(), "\n")
	for i, name := range want {
		if i >= len(lines) || lines[i] != "no index "+name {
			t.Fatalf("AddGadgetIndexes returned %q, want an error for each index", lines)
		}
	}
}
