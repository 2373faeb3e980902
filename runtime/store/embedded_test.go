// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// outer has fields of structs that are embedded and not exported.
type outer struct {
	Name string
	shared
	*pointed
	spec `json:"spec"`
}

type shared struct {
	Tags   []string
	Labels map[string]string
	Ref    *int
	Any    any
	N      int
	inner
	own int
}

type inner struct {
	Deep []int `json:"deep"`
}

type pointed struct{ Hidden int }

type spec struct{ Node string }

func newOuter() *outer {
	return &outer{Name: "a", pointed: &pointed{}, spec: spec{"n"}, shared: shared{
		Tags: []string{"t"}, Labels: map[string]string{"k": "v"}, Ref: new(int), Any: []any{1}, inner: inner{Deep: []int{1, 2}},
	}}
}

func TestMutationsOfEmbeddedStructs(t *testing.T) {
	s := store.New(func(o *outer) string { return o.Name }, store.WithMutationDetector())
	if err := errors.Join(s.Set(newOuter()), s.CheckMutations()); err != nil {
		t.Fatalf("nobody has touched it: %v", err)
	}
	for want, mutate := range map[string]func(*outer){
		`.Tags[0] was "t" and is "u"`:        func(o *outer) { o.Tags[0] = "u" },
		`.Tags was of 1 elements and is of`:  func(o *outer) { o.Tags = append(o.Tags, "u") },
		`.Labels['k'] was "v" and is "w"`:    func(o *outer) { o.Labels["k"] = "w" },
		`.Ref was 0 and is 1`:                func(o *outer) { *o.Ref = 1 },
		`.Any[0] was 1 and is 2`:             func(o *outer) { o.Any.([]any)[0] = 2 },
		`.N was 0 and is 1`:                  func(o *outer) { o.N = 1 },
		`.deep[1] was 2 and is 3`:            func(o *outer) { o.Deep[1] = 3 },
		`.spec.Node was "n" and is "m"`:      func(o *outer) { o.Node = "m" },
		`. was store_test.shared{`:           func(o *outer) { o.own = 1 },
		`. was store_test.outer{Name:"a", s`: func(o *outer) { o.pointed = &pointed{} },
	} {
		o := newOuter()
		_ = s.Set(o)
		mutate(o)
		var me *store.MutationError
		if err := s.CheckMutations(); !errors.As(err, &me) || !strings.Contains(err.Error(), "stored: "+want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if err := s.CheckMutations(); err != nil {
			t.Errorf("%s: reported again: %v", want, err)
		}
	}
	o := newOuter()
	_ = s.Set(o)
	o.Hidden = 1
	if err := s.CheckMutations(); err != nil {
		t.Errorf("what is behind an embedded pointer is seen; say so: %v", err)
	}
}
