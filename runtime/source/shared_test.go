// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package source_test

import (
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
	for event, err := range src.Watch(t.Context(), metav1.ListOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Object == &fed {
			t.Error("the object is handed over as it is")
		}
		event.Object.Labels["v"] = "edited"
		break
	}
	if fed.Labels["v"] != "1" {
		t.Errorf("the test's object is %q", fed.Labels["v"])
	}
}
