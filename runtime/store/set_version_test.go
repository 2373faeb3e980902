// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func versioned(name, resourceVersion string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Namespace: "ns", Name: name, ResourceVersion: resourceVersion,
	}}
}

// TestSetByHandMovesTheVersion: only a newer version of an object moves the store's.
func TestSetByHandMovesTheVersion(t *testing.T) {
	s := store.ForObjects[*metav1.PartialObjectMetadata]()
	for _, step := range []struct{ set, want string }{
		{"", ""}, {"made-up", ""}, {"9", "9"}, {"10", "10"}, {"7", "10"}, {"10", "10"},
		{"made-up", "10"}, {"", "10"}, {"11", "11"},
	} {
		frozen := s.Reader().Snapshot()
		before := frozen.ResourceVersion()
		if err := s.Set(versioned("a", step.set)); err != nil {
			t.Fatal(err)
		}
		if got := s.Reader().ResourceVersion(); got != step.want {
			t.Errorf("after Set of version %q, the store is at %q, want %q", step.set, got, step.want)
		}
		if frozen.ResourceVersion() != before {
			t.Errorf("Set of version %q has moved a snapshot", step.set)
		}
	}
	bookmark(s, "20")
	if err := s.Set(versioned("b", "19")); err != nil || s.Reader().ResourceVersion() != "20" {
		t.Errorf("an older object moves a bookmark back to %q (error %v)", s.Reader().ResourceVersion(), err)
	}
}

// TestWaitForInAFilledStore: WaitFor returns once a test has set the object.
func TestWaitForInAFilledStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*metav1.PartialObjectMetadata]()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		ended := make(chan error, 1)
		go func() { ended <- s.Reader().WaitFor(ctx, "5") }()
		synctest.Wait()
		if err := s.Set(versioned("a", "5")); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestSetInAFedStoreLeavesTheVersion: versions of a fed store are those of its source.
func TestSetInAFedStoreLeavesTheVersion(t *testing.T) {
	s := store.ForObjects[*metav1.PartialObjectMetadata]()
	store.FeederOf(s)
	if err := s.Set(versioned("a", "5")); err != nil || s.Reader().ResourceVersion() != "" {
		t.Errorf("the store is at %q (error %v)", s.Reader().ResourceVersion(), err)
	}
}
