// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package source_test

import (
	"context"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// pointed has its metadata behind pointers, which may be nil.
type pointed struct {
	*metav1.TypeMeta
	*metav1.ObjectMeta
}

func (p *pointed) DeepCopyObject() kruntime.Object { return &pointed{p.TypeMeta, p.ObjectMeta} }

type pointedList struct {
	metav1.ListMeta
	items []pointed
}

type pointedClient struct {
	list   *pointedList
	events *recorded
}

func (c pointedClient) List(context.Context, metav1.ListOptions) (*pointedList, error) {
	return c.list, nil
}

func (c pointedClient) Watch(context.Context, metav1.ListOptions) (watch.Interface, error) {
	return c.events, nil
}

func TestObjectsWithoutMetadata(t *testing.T) {
	some := pointed{nil, &metav1.ObjectMeta{Name: "a", ResourceVersion: "7"}}
	typed := pointed{&metav1.TypeMeta{Kind: "K"}, &metav1.ObjectMeta{Name: "a", ResourceVersion: "7"}}
	none := pointed{&metav1.TypeMeta{Kind: "K"}, nil}
	src := source.FromClient(pointedClient{
		&pointedList{items: []pointed{some, none, typed}},
		record(
			watch.Event{Type: watch.Added, Object: &some},
			watch.Event{Type: watch.Modified, Object: &none},
			watch.Event{Type: watch.Deleted, Object: &typed},
			watch.Event{Type: watch.Bookmark, Object: &none},
		),
	}, func(l *pointedList) []pointed { return l.items })
	var got []event[*pointed]
	if _, err := src.List(t.Context(), metav1.ListOptions{}, func(d source.Delta[*pointed], err error) error {
		got = append(got, event[*pointed]{d, "", err})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	check := func(how string) {
		t.Helper()
		if len(got) != 3 || got[0].err != nil || got[2].err != nil || got[2].Object.Kind != "" ||
			got[0].Object.Name != "a" {
			t.Fatalf("%s: %+v", how, got)
		}
		if e := got[1]; e.Type != delta.NoKey || e.err == nil || !strings.Contains(e.err.Error(), "*source_test.pointed") ||
			!strings.Contains(e.err.Error(), "embed metav1.ObjectMeta") {
			t.Errorf("%s: %+v", how, e)
		}
	}
	check("list")
	got, last := collect(t, src)
	check("watch")
	if last == nil || !strings.Contains(last.Error(), "BOOKMARK") ||
		!strings.Contains(last.Error(), "*source_test.pointed") {
		t.Errorf("the bookmark: %v", last)
	}
}
