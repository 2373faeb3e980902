// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

type (
	meta    = *metav1.PartialObjectMetadata
	handler = informer.Handler[meta]
)

func newMeta(name, uid, version, model string) meta {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Namespace: "a", Name: name, UID: types.UID(uid), ResourceVersion: version,
		Labels: map[string]string{"model": model},
	}}
}

func tombstone(final, last meta) informer.Tombstone[meta] {
	return informer.Tombstone[meta]{Key: store.KeyOf(final), Object: final, LastSeen: last}
}

// TestHistory checks that a history finds calls that contradict each other.
func TestHistory(t *testing.T) {
	one, two := newMeta("x", "u1", "1", "m1"), newMeta("x", "u1", "2", "m2")
	other := newMeta("x", "u2", "3", "m1")
	for _, c := range []struct {
		calls func(handler)
		want  string // "" if the calls are sound
	}{
		{func(h handler) { h.OnAdd(one, true); h.OnUpdate(one, two) }, ""},
		{func(h handler) { h.OnAdd(one, true); h.OnDelete(tombstone(two, one)); h.OnAdd(other, false) }, ""},
		{func(h handler) { h.OnAdd(one, true); h.OnAdd(two, false) }, "but the handler knows"},
		{func(h handler) { h.OnUpdate(one, two) }, "does not know"},
		{func(h handler) { h.OnAdd(one, true); h.OnUpdate(two, other) }, "but the handler knows"},
		{func(h handler) { h.OnAdd(one, true); h.OnUpdate(one, other) }, "another object"},
		{func(h handler) { h.OnAdd(one, true); h.OnUpdate(one, one) }, "changes nothing"},
		{func(h handler) { h.OnDelete(tombstone(one, one)) }, "does not know"},
		{func(h handler) { h.OnAdd(one, true); h.OnDelete(tombstone(two, two)) }, "but the handler knows"},
		{func(h handler) { h.OnAdd(one, true); h.OnDelete(tombstone(other, one)) }, "but the handler knows"},
	} {
		h := newHistory[meta]("lossless", 0)
		c.calls(h.handler())
		found := h.check(h.objects)
		sound := len(found) == 0
		if sound != (c.want == "") || !sound && !strings.Contains(found[0], c.want) {
			t.Errorf("found %q, want %q", found, c.want)
		}
	}
}

// TestDifferences checks that differences of a store, an index and a handler are found.
func TestDifferences(t *testing.T) {
	s, indexes := labelIndexed[meta]()
	h := newHistory[meta]("lossless", 0)
	same := newMeta("same", "u1", "1", "m1")
	for _, obj := range []meta{same, newMeta("old", "u2", "2", "m1"), newMeta("gone", "u3", "3", "m1")} {
		if err := s.Set(obj); err != nil {
			t.Fatal(err)
		}
		h.handler().OnAdd(obj, true)
	}
	want := map[types.NamespacedName]meta{}
	for _, obj := range []meta{same.DeepCopy(), newMeta("old", "u2", "2", "m2"), newMeta("new", "u4", "4", "m1")} {
		want[store.KeyOf(obj)] = obj
	}
	for what, found := range map[string][]string{
		"store":   compare("store", byKey(s.Reader().All()), want),
		"index":   indexes[0](s.Reader(), want),
		"handler": h.check(want),
	} {
		for _, name := range []string{"a/old", "a/gone", "a/new"} {
			if !strings.Contains(strings.Join(found, "\n"), name) {
				t.Errorf("%s: found %q, nothing of %s", what, found, name)
			}
		}
		if strings.Contains(strings.Join(found, "\n"), "a/same") {
			t.Errorf("%s: found %q", what, found)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.settle(ended, want); err == nil {
		t.Error("a handler that knows something else has settled")
	}
	if err := h.settle(t.Context(), h.objects); err != nil {
		t.Error(err)
	}
}
