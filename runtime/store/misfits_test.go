// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestMisfits(t *testing.T) {
	s := New(func(o *thing) any {
		if o.Node != "" {
			return []string{o.Node} // which has no hash
		}
		return o.Name
	})
	var b Batch[any, *thing]
	if got := s.Misfits(&b); got != nil {
		t.Errorf("of an empty batch: %v", got)
	}
	b.Replace([]*thing{nil, {Name: "a"}, {Name: "b", Node: "x"}})
	b.Keep(math.NaN())
	b.Keep("k")
	b.Delete([]int{1})
	b.Set(&thing{Name: "c"})
	b.Set(nil)
	var at []int
	for _, misfit := range s.Misfits(&b) {
		at = append(at, misfit.Position)
		if misfit.Err == nil {
			t.Errorf("no error at %d", misfit.Position)
		}
	}
	if want := []int{0, 2, 3, 5, 7}; !slices.Equal(at, want) {
		t.Errorf("misfits at %v, want %v", at, want)
	}
	var first *KeyError
	if err := s.Apply(&b); !errors.As(err, &first) || first.Position != 0 {
		t.Errorf("Apply: %v", err)
	}
	if s.Reader().Len() != 0 {
		t.Error("something was stored")
	}
}
