// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package source_test

import (
	"context"
	"errors"
	"fmt"
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

// page is a script whose lists have more pages, or fail.
type page struct {
	script
	more string
	err  error
}

func (p *page) List(
	ctx context.Context, opts metav1.ListOptions, each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	_, err := p.script.List(ctx, opts, each)
	return metav1.ListMeta{Continue: p.more}, errors.Join(err, p.err)
}

// A conversion that renames gives each delta its key, and is notified of the end of a complete list.
func TestConvertRenames(t *testing.T) {
	a, b := named("a", "1"), named("b", "2")
	deltas := script{
		delta.New(delta.Replaced, key("a"), &a), delta.New(delta.Replaced, key("b"), &b),
		delta.WithKey[types.NamespacedName, *object](delta.Kept, key("c")),
	}
	const all = "Replaced new-a from a, Dropped b from b, Kept c from c"
	for _, test := range []struct {
		page page
		want string
	}{
		{page{script: deltas}, all + ", InitialEnd  from "},
		{page{script: deltas, more: "more"}, all},
		{page{script: deltas, err: errors.New("failed")}, all},
		{page{script: deltas, more: "more", err: errors.New("failed")}, all},
	} {
		var calls []string
		src := source.Convert(source.Source[*object]{ListerWatcher: &test.page}, source.Conversion[*object, *object]{
			Object: func(_ types.NamespacedName, o *object) (*object, error) {
				if o.Name == "b" {
					return nil, source.ErrDrop
				}
				renamed := named("new-"+o.Name, o.ResourceVersion)
				return &renamed, nil
			},
			Renames: func() func(types.NamespacedName, source.Delta[*object]) types.NamespacedName {
				return func(from types.NamespacedName, d source.Delta[*object]) types.NamespacedName {
					calls = append(calls, fmt.Sprintf("%v %s from %s", d.Type, d.Key.Name, from.Name))
					return key(fmt.Sprint(len(calls)))
				}
			},
		})
		keys := 0
		_, err := src.List(t.Context(), metav1.ListOptions{}, func(d source.Delta[*object], err error) error {
			if keys++; err != nil || d.Key != key(fmt.Sprint(keys)) {
				t.Errorf("delta %d has the key %v, %v", keys, d.Key, err)
			}
			return nil
		})
		if got := strings.Join(calls, ", "); got != test.want || (err != nil) != (test.page.err != nil) {
			t.Errorf("a list with %q and %v: got %q, %v, want %q", test.page.more, test.page.err, got, err, test.want)
		}
	}
}
