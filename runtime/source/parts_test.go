// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package source_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// sourceOf is a source that knows only its part.
type sourceOf struct {
	source.ListerWatcher[*object]
	part any
}

func namesOf[P comparable](set *source.Set[P]) map[any]string {
	src := source.ForEach(set, func(p P) source.Source[*object] {
		return source.Source[*object]{ListerWatcher: sourceOf{part: p}}
	})
	out := map[any]string{}
	for name, part := range src.Parts().Sources() {
		out[part.ListerWatcher.(sourceOf).part] = name
	}
	return out
}

// A source is named for its part.
func TestNamesOfParts(t *testing.T) {
	if got := namesOf(source.NewHandover(1, 2)); !maps.Equal(got, map[any]string{1: "1", 2: "2"}) {
		t.Errorf("%v", got)
	}
	texts := slices.Sorted(maps.Values(namesOf(source.NewNamespaces("b", "a", "", "a"))))
	if !slices.Equal(texts, []string{"", "a", "b"}) {
		t.Errorf("%q", texts)
	}
}

func TestSetNotifiesCurrentFollowersOnly(t *testing.T) {
	set := source.NewNamespaces("a")
	var notified []string
	follow := func(name string) (stop func()) {
		return set.Follow(func(context.Context) error { notified = append(notified, name); return nil })
	}
	stopFirst := follow("first")
	follow("second")
	stopFirst()
	if err := set.Replace(t.Context(), "b"); err != nil || !slices.Equal(notified, []string{"second"}) {
		t.Errorf("notified %q, error %v; want only the second follower notified", notified, err)
	}
}
