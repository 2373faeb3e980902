// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package source_test

import (
	"context"
	"errors"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
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

// counted counts its copies.
type counted struct {
	object
	copy *counted
}

func (c *counted) DeepCopyObject() runtime.Object {
	c.copy = &counted{object: *c.DeepCopy()}
	return c.copy
}

type countedList struct {
	metav1.ListMeta
	items []counted
}

type countedClient struct {
	faked
	events watch.Interface
}

func (countedClient) List(context.Context, metav1.ListOptions) (*countedList, error) { return nil, nil }

func (c countedClient) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return c.events, nil
}

// The object of a fake is copied once, also if the test has set its kind.
func TestObjectsOfFakesAreCopiedOnce(t *testing.T) {
	fed := counted{object: named("a", "1")}
	fed.Kind = "Thing"
	src := source.FromClient(
		&countedClient{events: record(watch.Event{Type: watch.Added, Object: &fed}).ended()},
		func(l *countedList) []counted { return l.items },
	)
	err := src.Watch(t.Context(), metav1.ListOptions{}, func(d source.Delta[*counted], _ string, _ error) error {
		if d.Object != fed.copy || d.Object.Kind != "" || fed.Kind != "Thing" {
			t.Errorf("%p with kind %q, and the copy is %p", d.Object, d.Object.Kind, fed.copy)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
