// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package source_test

import (
	"context"
	"errors"
	"strings"
	"testing"

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

func describeItem(item source.Item[*small]) string {
	switch {
	case item.Err == nil && item.Key == nil:
		return item.Object.Name
	case item.Key == nil:
		return "? " + item.Err.Error()
	}
	return item.Key.Name + ": " + item.Err.Error()
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

	// An object without a result has its key and its error.
	failures := []string{
		"failed: ns/failed: malformed",
		"panics: ns/panics: the conversion of Map panicked: in the conversion",
		"renamed: ns/renamed: the conversion of Map returned ns/other; it must keep namespace and name",
		"nothing: ns/nothing: the metadata of a *source_test.small cannot be read",
	}
	want := append([]string{"a", "kept: " + source.ErrKeep.Error()}, failures...)
	var got []string
	meta, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Item[*small]) error {
		got = append(got, describeItem(item))
		return nil
	})
	if err != nil || meta.ResourceVersion != "9" {
		t.Errorf("%+v, %v", meta, err)
	}
	expectBeginnings(t, "list", got, want)

	got, want = nil, nil
	for _, kind := range []string{"ADDED ", "DELETED "} {
		want = append(want, kind+"a", "DELETED dropped: "+source.ErrDrop.Error(), kind+"kept: "+source.ErrKeep.Error())
		for _, failure := range failures {
			want = append(want, kind+failure)
		}
	}
	for event, err := range src.Watch(t.Context(), metav1.ListOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Type == watch.Bookmark {
			if !event.InitialEventsEnd || event.ResourceVersion != "9" {
				t.Errorf("%+v", event)
			}
			break
		}
		if event.ResourceVersion != "8" {
			t.Errorf("%+v", event)
		}
		got = append(got, string(event.Type)+" "+describeItem(event.Item))
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

// reuser records the function that it gets, and does not support WatchLists.
type reuser struct {
	source.ListerWatcher[*object]
	held *func(types.NamespacedName) (*object, bool)
}

func (r reuser) Reusing(held func(types.NamespacedName) (*object, bool)) source.ListerWatcher[*object] {
	*r.held = held
	return r
}

func (reuser) SupportsWatchList() bool { return false }

func TestMapPassesInterfacesOn(t *testing.T) {
	var passed func(types.NamespacedName) (*object, bool)
	inner := reuser{from(&client{}), &passed}
	cached := named("a", "1")
	same := source.Map(inner, func(o *object) (*object, error) { return o, nil })
	source.Reusing(same, func(types.NamespacedName) (*object, bool) { return &cached, true })
	if held, ok := passed(types.NamespacedName{}); held != &cached || !ok {
		t.Error("a source of the same type does not get the cached objects")
	}
	other := source.Map(inner, shrink)
	if source.SupportsWatchList(other) || !source.SupportsWatchList(source.Map(from(&client{}), shrink)) {
		t.Error("WatchLister is not passed on")
	}
	passed = nil
	source.Reusing(other, func(types.NamespacedName) (*small, bool) { return &small{}, true })
	if passed == nil {
		t.Fatal("a source of another type may not share parts")
	}
	if held, ok := passed(types.NamespacedName{}); held != nil || ok {
		t.Error("a source of another type gets cached objects")
	}
	if _, ok := other.(source.Multi[*small]); ok {
		t.Error("one source has parts")
	}
	set := source.NewHandover("x", "y")
	several := source.ForEach(set, func(string) source.ListerWatcher[*object] { return inner })
	parts, ok := source.Map(several, shrink).(source.Multi[*small])
	if !ok || len(parts.Sources()) != 2 || !parts.Handover() {
		t.Fatalf("the parts are %v", parts)
	}
	called := 0
	stop := parts.Follow(func(context.Context) error { called++; return nil })
	defer stop()
	if err := set.Set(t.Context(), "z"); err != nil || called != 1 || source.SupportsWatchList(parts.Sources()["z"]) {
		t.Errorf("%d calls, %v", called, err)
	}
}
