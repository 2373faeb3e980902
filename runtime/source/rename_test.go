// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// script is a source of the deltas that it has.
type script []source.Delta[*object]

func (s *script) List(
	_ context.Context, _ metav1.ListOptions, each func(source.Delta[*object], error) error,
) (meta metav1.ListMeta, err error) {
	for _, d := range *s {
		err = errors.Join(err, each(d, nil))
	}
	return meta, err
}

func (s *script) Watch(
	_ context.Context, _ metav1.ListOptions, each func(source.Delta[*object], string, error) error,
) (err error) {
	for _, d := range *s {
		err = errors.Join(err, each(d, "", nil))
	}
	return err
}

// key returns the key of a name.
func key(name string) types.NamespacedName { return types.NamespacedName{Namespace: "ns", Name: name} }

// Deltas of a renamed object have its new key, until the object has gone.
func TestRenames(t *testing.T) {
	names := map[string]string{"a": "x", "b": "y", "c": "c"}
	var deltas script
	src := source.Convert(source.Source[*object]{ListerWatcher: &deltas}, source.Conversion[*object, *small]{
		Object: func(_ types.NamespacedName, o *object) (*small, error) {
			if names[o.Name] == "" {
				return nil, errors.New("malformed")
			}
			return &small{named(names[o.Name], "1")}, nil
		},
		Renames: true,
	})
	of := func(t delta.Type, name string) source.Delta[*object] {
		o := named(name, "1")
		return delta.New(t, key(name), &o)
	}
	bare := func(t delta.Type, name string) source.Delta[*object] {
		return delta.WithKey[types.NamespacedName, *object](t, key(name))
	}
	var got []string
	record := func(d source.Delta[*small], _ error) error {
		got = append(got, fmt.Sprintf("%v %s", d.Type, d.Key.Name))
		return nil
	}
	list := func(ds ...source.Delta[*object]) {
		deltas = ds
		_, _ = src.List(t.Context(), metav1.ListOptions{}, record)
	}
	watch := func(ds ...source.Delta[*object]) {
		deltas = ds
		_ = src.Watch(t.Context(), metav1.ListOptions{}, func(d source.Delta[*small], _ string, err error) error {
			return record(d, err)
		})
	}
	want := func(what string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
		got = nil
	}
	list(of(delta.Replaced, "a"), of(delta.Replaced, "b"), of(delta.Replaced, "c"))
	want("list", "Replaced x", "Replaced y", "Replaced c")
	watch(bare(delta.Stale, "a"), bare(delta.Kept, "b"), bare(delta.Stale, "c"), of(delta.Updated, "unknown"))
	want("without objects", "Stale x", "Kept y", "Stale c", "Stale unknown")
	for range 3 {
		list(bare(delta.Stale, "a"), of(delta.Replaced, "b"))
		want("list again", "Stale x", "Replaced y")
	}
	names["a"], names["b"] = "a", ""
	watch(of(delta.Updated, "a"), bare(delta.Stale, "a"), of(delta.Updated, "b"))
	want("one is renamed no longer, one is malformed", "Updated a", "Stale a", "Stale y")
	watch(of(delta.Deleted, "b"), bare(delta.Stale, "b"))
	want("deleted without its object", "Deleted y", "Stale b")
	names["a"], names["b"] = "x", "y"
	watch(of(delta.Added, "b"), of(delta.Deleted, "b"), bare(delta.Stale, "b"))
	want("deleted with its object", "Added y", "Deleted y", "Stale b")
	watch(of(delta.Added, "b"), bare(delta.Dropped, "b"), bare(delta.Stale, "b"))
	want("dropped", "Added y", "Dropped y", "Stale b")

	watch(of(delta.Added, "a"), of(delta.Added, "b"), delta.Bare[types.NamespacedName, *object](delta.InitialEnd))
	list(of(delta.Replaced, "b"))
	list(of(delta.Replaced, "b"))
	got = nil
	watch(bare(delta.Stale, "a"), bare(delta.Stale, "b"))
	want("two lists lacked one", "Stale a", "Stale y")

	nothing := func(types.NamespacedName) (_ *small, ok bool) { return nil, false }
	other := src.Reusing(nothing)
	src = src.Reusing(nothing)
	list(of(delta.Replaced, "b"))
	for deltas = nil; len(got) < 3; {
		_, _ = other.List(t.Context(), metav1.ListOptions{}, record)
		got = append(got, "other list")
	}
	watch(bare(delta.Stale, "b"))
	want("lists of another reader lacked one", "Replaced y", "other list", "other list", "Stale y")
}

// Convert contains panics of a conversion, and refuses results with another key or without metadata.
func TestConvertChecksResults(t *testing.T) {
	o := named("a", "1")
	deltas := script{delta.New(delta.Replaced, key("a"), &o)}
	for want, convert := range map[string]func() *pointed{
		"Stale: ns/a: the conversion panicked: boom": func() *pointed { panic("boom") },
		"Stale: ns/a: the conversion returned /b; it must keep": func() *pointed {
			return &pointed{nil, &metav1.ObjectMeta{Name: "b"}}
		},
		"Stale: ns/a: the metadata of a *source_test.pointed cannot be read": func() *pointed { return &pointed{} },
		"Dropped: <nil>": func() *pointed { return nil },
	} {
		src := source.Convert(source.Source[*object]{ListerWatcher: &deltas}, source.Conversion[*object, *pointed]{
			Object: func(types.NamespacedName, *object) (*pointed, error) { return convert(), nil },
		})
		_, err := src.List(t.Context(), metav1.ListOptions{}, func(d source.Delta[*pointed], err error) error {
			if got := fmt.Sprintf("%v: %v", d.Type, err); !strings.HasPrefix(got, want) || d.Key != key("a") {
				t.Errorf("got %v, %q, want %q", d.Key, got, want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
