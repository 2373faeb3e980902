// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package source_test

import (
	"errors"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// faked has the shape of a fake client that client-gen wrote.
type faked struct{ client }

func (*faked) ClearActions() {}

func TestObjectsThatATestFeedsToAFakeStayItsOwn(t *testing.T) {
	fed := named("a", "1")
	fed.Labels = map[string]string{"v": "1"}
	feed := watch.NewFake()
	src := source.FromClient[object, *object](&faked{client{watch: feed}}, items)
	go feed.Add(&fed)
	seen := errors.New("seen")
	err := src.Watch(t.Context(), metav1.ListOptions{}, func(d source.Delta[*object], _ string, _ error) error {
		if d.Object == &fed {
			t.Error("the object is handed over as it is")
		}
		d.Object.Labels["v"] = "edited"
		return seen
	})
	if err != seen {
		t.Fatal(err)
	}
	if fed.Labels["v"] != "1" {
		t.Errorf("the test's object is %q", fed.Labels["v"])
	}
}
