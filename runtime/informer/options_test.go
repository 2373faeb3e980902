// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/mutation"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// TestStoreOptions makes a store as emitted code does. Only a store with a mutation detector checks mutations.
func TestStoreOptions(t *testing.T) {
	for _, detects := range []bool{false, true} {
		opts := []informer.Option{informer.WithName("pods")}
		if detects {
			opts = append(opts, informer.WithStore(mutation.WithDetector()))
		}
		s := store.ForObjects[*metav1.PartialObjectMetadata](informer.StoreOptions(opts)...)
		if err := s.CheckMutations(); (err == nil) != detects {
			t.Errorf("with the detector %t: %v", detects, err)
		}
	}
}
