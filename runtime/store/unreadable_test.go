// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

type husk struct{ group string }

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
