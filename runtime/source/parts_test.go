// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package source_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// twin is printed as its sisters are.
type twin int

func (twin) String() string { return "twin" }

// sourceOf is a source of which only the part is known.
type sourceOf struct {
	source.ListerWatcher[*object]
	part any
}

func namesOf[P comparable](set *source.Set[P]) map[any]string {
	src := source.ForEach(set, func(p P) source.ListerWatcher[*object] { return sourceOf{part: p} })
	out := map[any]string{}
	for name, part := range src.(source.Multi[*object]).Parts() {
		out[part.(sourceOf).part] = name
	}
	return out
}

// No part is lost, or taken for another, if both are printed alike.
func TestPartsThatArePrintedAlike(t *testing.T) {
	set := source.NewHandover[twin](1, 2)
	if got := namesOf(set); !maps.Equal(got, map[any]string{twin(1): "twin", twin(2): "twin (2)"}) {
		t.Errorf("%v", got)
	}
	for _, step := range []struct {
		parts []twin
		want  map[any]string
	}{
		{[]twin{2}, map[any]string{twin(2): "twin (2)"}},
		{[]twin{3, 2}, map[any]string{twin(2): "twin (2)", twin(3): "twin (3)"}},
		{[]twin{3, 1}, map[any]string{twin(1): "twin", twin(3): "twin (3)"}},
	} {
		if err := set.Set(t.Context(), step.parts...); err != nil {
			t.Fatal(err)
		}
		if got := namesOf(set); !maps.Equal(got, step.want) {
			t.Errorf("%v: %v", step.parts, got)
		}
	}
	texts := slices.Sorted(maps.Values(namesOf(source.NewNamespaces("b", "a", ""))))
	if !slices.Equal(texts, []string{"", "a", "b"}) {
		t.Errorf("%q", texts)
	}
}
