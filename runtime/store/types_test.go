// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A feeder applies deltas of the types of its column in package delta, and panics for others.
func TestApplyAcceptsItsTypes(t *testing.T) {
	type object = *metav1.PartialObjectMetadata
	for typ := range delta.InitialEnd + 2 {
		f := store.NewFeeder(store.ForObjects[object](), nil)
		panicked := func() (panicked bool) {
			defer func() { panicked = recover() != nil }()
			key := types.NamespacedName{Name: "a"}
			f.Apply(&delta.Batch[types.NamespacedName, object]{Deltas: []delta.Delta[types.NamespacedName, object]{
				delta.New(typ, key, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}}),
			}})
			return false
		}()
		if panicked == typ.In(delta.Apply) {
			t.Errorf("a delta of type %v: panicked %v", typ, panicked)
		}
	}
}
