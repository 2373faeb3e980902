// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package source_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// small is what the tests convert objects to.
type small struct{ object }

// shrink drops, keeps, fails, panics or renames as the name says.
func shrink(o *object) (*small, error) {
	switch o.Name {
	case "dropped":
		return nil, source.ErrDrop
	case "kept":
		return nil, source.ErrKeep
	case "failed":
		return nil, errors.New("malformed")
	case "panics":
		panic("in the conversion")
	case "renamed":
		return &small{named("other", "1")}, nil
	case "nothing":
		return nil, nil
	}
	return &small{named(o.Name, o.ResourceVersion)}, nil
}

func describe(d source.Delta[*small], err error) string {
	text := d.Type.String() + " " + d.Key.Name
	switch {
	case err != nil:
		return text + ": " + err.Error()
	case !d.NoObject:
		return text + " is " + d.Object.Name
	}
	return text
}

func TestMap(t *testing.T) {
	names := []string{"a", "dropped", "kept", "failed", "panics", "renamed", "nothing"}
	c := &client{list: &list{ListMeta: metav1.ListMeta{ResourceVersion: "9"}}}
	var events []watch.Event
	for _, kind := range []watch.EventType{watch.Added, watch.Deleted} {
		for _, name := range names {
			o := named(name, "8")
			events = append(events, watch.Event{Type: kind, Object: &o})
		}
	}
	for _, name := range names {
		c.list.Items = append(c.list.Items, named(name, "5"))
	}
	end := named("", "9")
	end.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	c.watch = record(append(events, watch.Event{Type: watch.Bookmark, Object: &end})...).ended()
	src := source.Map(from(c), shrink)

	failures := []string{
		"failed: ns/failed: malformed",
		"panics: ns/panics: the conversion panicked: in the conversion",
		"renamed: ns/renamed: the conversion returned ns/other; it must keep namespace and name",
	}
	want := []string{"Replaced a is a", "Dropped dropped", "Kept kept"}
	for _, failure := range failures {
		want = append(want, "Stale "+failure)
	}
	want = append(want, "Dropped nothing")
	var got []string
	meta, err := src.List(t.Context(), metav1.ListOptions{}, func(d source.Delta[*small], err error) error {
		got = append(got, describe(d, err))
		return nil
	})
	if err != nil || meta.ResourceVersion != "9" {
		t.Errorf("%+v, %v", meta, err)
	}
	expectBeginnings(t, "list", got, want)

	got, want = nil, append([]string{"Added a is a"}, want[1:]...)
	want = append(want, "Deleted a is a", "Deleted dropped", "Deleted kept")
	for _, failure := range failures {
		want = append(want, "Deleted "+failure)
	}
	want = append(want, "Deleted nothing", "InitialEnd ")
	converted, err := collect(t, src)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range converted {
		if e.version != "8" && e.Type != delta.InitialEnd {
			t.Errorf("%+v", e)
		}
		got = append(got, describe(e.Delta, e.err))
	}
	expectBeginnings(t, "watch", got, want)
}

func expectBeginnings(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d items instead of %d: %q", what, len(got), len(want), got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%s: %q instead of %q", what, got[i], want[i])
		}
	}
}

// Map keeps the facts and the parts of its source.
func TestMapKeepsFacts(t *testing.T) {
	var passed func(types.NamespacedName) (*object, bool)
	inner := from(&client{})
	inner.NoWatchList = true
	inner.Reuse = func(held func(types.NamespacedName) (*object, bool)) source.ListerWatcher[*object] {
		passed = held
		return inner
	}
	identity := func(o *object) (*object, error) { return o, nil }
	cached := named("a", "1")
	lookup := func(types.NamespacedName) (*object, bool) { return &cached, true }
	source.Map(inner, identity).Reusing(lookup)
	if held, ok := passed(types.NamespacedName{}); held != &cached || !ok {
		t.Error("a source of the same type does not get the cached objects")
	}
	other := source.Map(inner, shrink)
	if !other.NoWatchList || source.Map(from(&client{}), shrink).NoWatchList {
		t.Error("NoWatchList is not that of the source")
	}
	passed = nil
	other.Reusing(func(types.NamespacedName) (*small, bool) { return &small{}, true })
	if passed == nil {
		t.Fatal("a source of another type may not share parts")
	}
	if held, ok := passed(types.NamespacedName{}); held != nil || ok {
		t.Error("a source of another type gets cached objects")
	}
	passed = nil
	source.Own(inner).Reusing(lookup)
	source.Map(source.Own(inner), identity).Reusing(lookup)
	if passed != nil {
		t.Error("the objects of Own are shared")
	}
	if other.Parts() != nil {
		t.Error("one source has parts")
	}
	set := source.NewHandover("x", "y")
	parts := source.Map(source.ForEach(set, func(string) source.Source[*object] { return inner }), shrink).Parts()
	if parts == nil || len(parts.Sources()) != 2 || !parts.Handover {
		t.Fatalf("the parts are %v", parts)
	}
	called := 0
	stop := parts.Follow(func(context.Context) error { called++; return nil })
	defer stop()
	if err := set.Replace(t.Context(), "z"); err != nil || called != 1 || !parts.Sources()["z"].NoWatchList {
		t.Errorf("%d calls, %v", called, err)
	}
}

// Nothing is made of nothing, and a source with parts is not read itself.
func TestSourcesThatCannotBeRead(t *testing.T) {
	if source.Map(source.Source[*object]{}, shrink).Exists() {
		t.Error("a conversion of no source is one")
	}
	src := source.ForEach(source.NewNamespaces("x"), func(string) source.Source[*object] { return from(&client{}) })
	if !src.Exists() || src.ListerWatcher != nil || src.Parts() == nil {
		t.Errorf("%+v", src)
	}
	if src.ListerWatcher = from(&client{}); src.Parts() != nil {
		t.Error("a source of one ListerWatcher has parts")
	}
}
