// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtimetest_test

import (
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// TestFill tests that a store gets copies of the objects of its type alone, and that its error is returned.
func TestFill(t *testing.T) {
	widget := &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}}
	objs := []runtime.Object{&metav1.Status{}, widget, &metav1.PartialObjectMetadataList{}}
	widgets := store.ForObjects[*Widget]()
	if err := runtimetest.Fill(widgets, objs); err != nil {
		t.Fatal(err)
	}
	widget.Name = "b"
	if got := slices.Collect(widgets.Reader().All()); len(got) != 1 || got[0].Name != "a" {
		t.Errorf("the store has %v, want a copy of the widget a", got)
	}
	if err := runtimetest.Fill(widgets, []*Widget{nil}); err == nil {
		t.Error("Fill returned no error for an object that the store refuses")
	}
}
