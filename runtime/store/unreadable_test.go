// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// husk is an object whose methods panic once somebody has emptied it.
type husk struct {
	*metav1.ObjectMeta
	group string
}

func newHusk(name string) *husk {
	return &husk{&metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "x"}}, "g"}
}

// An object in the store that cannot be read any more is in the way of no read, and is
// reported: once, with the next write, until the next list.
func TestReadsOfWhatCannotBeRead(t *testing.T) {
	var reported []string
	s := store.ForObjects[*husk](store.WithErrorHandler(func(err error) { reported = append(reported, err.Error()) }))
	groupOf := func(dst []string, h *husk) []string { return append(dst, h.group) }
	byGroup := store.AddUnique(s, "group", groupOf)
	inOrder := store.AddOrdered(s, "order", groupOf, cmp.Compare[string])
	key := func(i int) types.NamespacedName { return types.NamespacedName{Name: fmt.Sprint("h", i)} }
	const n = 400
	var objs []*husk
	for i := range n {
		objs = append(objs, newHusk(key(i).Name))
	}
	if err := s.Replace(objs, "1"); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < n; i += 2 {
		objs[i].ObjectMeta = nil
	}
	app, _ := labels.Parse("app=x")
	for kind, r := range map[string]store.Reader[types.NamespacedName, *husk]{"live": s.Reader(), "frozen": s.Reader().Snapshot()} {
		for i := range n {
			if got, ok := r.Get(key(i)); ok != (i%2 == 1) || ok && got != objs[i] {
				t.Errorf("%s: Get(%s) = %v, %v", kind, key(i), got, ok)
			}
			if r.Stale(key(i)) {
				t.Errorf("%s: %s is stale", kind, key(i))
			}
		}
		if got := len(slices.Collect(r.Keys())); got != n/2 {
			t.Errorf("%s: %d keys, want %d", kind, got, n/2)
		}
		if got := len(slices.Collect(byGroup.Is("g").Keys(r))); got != n/2 {
			t.Errorf("%s: %d keys of a query, want %d", kind, got, n/2)
		}
		if got := len(slices.Collect(r.All())); got != n || r.Len() != n || byGroup.Count(r, "g") != n {
			t.Errorf("%s: %d objects, want all", kind, got)
		}
		if got := len(slices.Collect(store.Matching[types.NamespacedName, *husk](app).Of(r))); got != n/2 {
			t.Errorf("%s: %d objects match, want %d", kind, got, n/2)
		}
		for name, get := range map[string]func() (*husk, bool){
			"Get": func() (*husk, bool) { return byGroup.Get(r, "g") },
			"Min": func() (*husk, bool) { return inOrder.Min(r) },
			"Max": func() (*husk, bool) { return inOrder.Max(r) },
		} {
			if got, ok := get(); !ok || got != objs[1] {
				t.Errorf("%s: %s is %v, %v, want that with the lowest key", kind, name, got, ok)
			}
		}
		pages := map[string]func(store.Reader[types.NamespacedName, *husk], store.Span[string], store.Cursor[types.NamespacedName, string], int) ([]*husk, store.Cursor[types.NamespacedName, string]){
			"Page": inOrder.Page, "PageDown": inOrder.PageDown,
		}
		for name, page := range pages {
			seen := map[*husk]bool{}
			for c, more := (store.Cursor[types.NamespacedName, string]{}), true; more; more = c.Set {
				var some []*husk
				some, c = page(r, store.Span[string]{}, c, 7)
				for _, h := range some {
					seen[h] = true
				}
			}
			if len(seen) != n/2 {
				t.Errorf("%s: %d on all pages of %s, want %d", kind, len(seen), name, n/2)
			}
		}
	}
	if len(reported) > 0 {
		t.Errorf("a read has called a handler: %q", reported)
	}
	s.Bookmark("2")
	s.Reader().Get(key(0))
	s.Bookmark("3")
	if len(reported) != 1 || !strings.Contains(reported[0], "cannot be read") || !strings.Contains(reported[0], "nil pointer") {
		t.Errorf("reported %q", reported)
	}
	reported = nil
	for i := range objs {
		objs[i] = newHusk(key(i).Name)
	}
	if err := s.Replace(objs, "4"); err != nil || s.Reader().Len() != n {
		t.Errorf("%v, %d objects after a list", err, s.Reader().Len())
	}
	reported = nil
	objs[9].ObjectMeta = nil
	s.Reader().Get(key(9))
	s.Bookmark("5")
	if len(reported) != 1 {
		t.Errorf("after a list, another: reported %q", reported)
	}
}

// shy is a key whose order panics for one.
type shy struct{ name string }

func (k shy) Compare(o shy) int {
	if k.name == "b" || o.name == "b" {
		panic("who is first?")
	}
	return cmp.Compare(k.name, o.name)
}

// The order of keys is foreign code, too: where it panics, pages go by what keys consist of.
func TestPagesOfKeysWhoseOrderPanics(t *testing.T) {
	s := store.New(func(h *husk) shy { return shy{h.group} })
	all := store.AddOrdered(s, "all", func(dst []int, _ *husk) []int { return append(dst, 1) }, cmp.Compare[int])
	for _, name := range []string{"c", "b", "a", "d"} {
		if err := s.Set(&husk{group: name}); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for c, more := (store.Cursor[shy, int]{}), true; more; more = c.Set {
		var page []*husk
		page, c = all.Page(s.Reader(), store.Span[int]{}, c, 1)
		for _, h := range page {
			got = append(got, h.group)
		}
	}
	if !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("pages of %q", got)
	}
}
