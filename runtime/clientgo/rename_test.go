// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// rename is a transform that gives each object the name that to returns. client-go calls it twice for some objects.
func (t *informerTest) rename(to func(name string) (string, error)) {
	t.Helper()
	err := t.SetTransform(func(obj any) (any, error) {
		pod := podOf(obj)
		if strings.HasPrefix(pod.Name, "new-") {
			return obj, nil
		}
		var err error
		pod.Name, err = to(pod.Name)
		return obj, err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (t *informerTest) wantKeys(want ...string) {
	t.Helper()
	keys := t.GetStore().ListKeys()
	slices.Sort(keys)
	t.want("keys", keys, want)
	for _, key := range want {
		if obj, ok, _ := t.GetStore().GetByKey(key); !ok || "ns/"+podOf(obj).Name != key {
			t.Errorf("%s: got %v", key, obj)
		}
	}
	t.want("objects", len(t.GetStore().List()), len(want))
}

// An object that a transform renames is stored under its new name, as in client-go.
func TestTransformRenames(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		t.rename(func(name string) (string, error) { return "new-" + name, nil })
		h := t.add()
		t.source.Add(t.pod("a"))
		t.source.Add(t.pod("b"))
		t.start()
		t.want("listed", h.take(), "[add new-a true add new-b true]")
		t.wantKeys("ns/new-a", "ns/new-b")
		t.source.Modify(t.pod("a"))
		t.settle()
		t.want("modified", h.take(), "[update new-a 1→3]")
		t.source.Delete(t.pod("b"))
		t.source.Add(t.pod("c"))
		t.settle()
		t.want("watched", h.take(), "[add new-c false delete new-b]")
		t.wantKeys("ns/new-a", "ns/new-c")
		t.source.DeleteDropWatch(t.pod("c"))
		t.source.AddDropWatch(t.pod("d"))
		t.source.ModifyDropWatch(t.pod("a"))
		t.source.ResetWatch()
		t.settle()
		t.want("listed again", h.take(), "[add new-d false unknown ns/new-c new-c update new-a 3→8]")
		t.wantKeys("ns/new-a", "ns/new-d")
		t.source.Delete(t.pod("a"))
		t.source.Delete(t.pod("d"))
		t.settle()
		t.want("deleted", h.take(), "[delete new-a delete new-d]")
		t.wantKeys()
	})
}

// A renamed object keeps its last state if its transform fails for an event or in a list. It is deleted if the
// transform fails for its deletion.
func TestTransformOfRenamedFails(t *testing.T) {
	testOurs(t, func(t *informerTest) {
		fails, reported := "", 0
		t.rename(func(name string) (string, error) {
			if name == fails {
				return "", errors.New("cannot transform")
			}
			return "new-" + name, nil
		})
		if err := t.SetWatchErrorHandler(func(_ *cache.Reflector, err error) {
			if strings.Contains(err.Error(), "ns/a: the transform failed") {
				reported++
			}
		}); err != nil {
			t.Fatal(err)
		}
		h := t.add()
		t.source.Add(t.pod("a"))
		t.source.Add(t.pod("b"))
		t.start()
		h.take()
		fails = "a"
		t.source.Modify(t.pod("a"))
		t.settle()
		t.wantKeys("ns/new-a", "ns/new-b")
		t.source.ModifyDropWatch(t.pod("a"))
		t.source.DeleteDropWatch(t.pod("b"))
		t.source.ResetWatch()
		t.settle()
		t.want("listed", h.take(), "[unknown ns/new-b new-b]")
		t.wantKeys("ns/new-a")
		t.source.Delete(t.pod("a"))
		t.settle()
		t.want("deleted", h.take(), "[unknown ns/new-a new-a]")
		t.wantKeys()
		t.want("errors", reported, 3)
	})
}

// script is a source of the deltas that it has.
type script []source.Delta[metav1.Object]

func (s *script) List(
	_ context.Context, _ metav1.ListOptions, each func(source.Delta[metav1.Object], error) error,
) (meta metav1.ListMeta, err error) {
	for _, d := range *s {
		err = errors.Join(err, each(d, nil))
	}
	return meta, err
}

func (s *script) Watch(
	_ context.Context, _ metav1.ListOptions, each func(source.Delta[metav1.Object], string, error) error,
) (err error) {
	for _, d := range *s {
		err = errors.Join(err, each(d, "", nil))
	}
	return err
}

// Deltas of a renamed object have its new key, until the object has gone.
func TestKeysOfRenamed(t *testing.T) {
	names := map[string]string{"a": "x", "b": "y", "c": "c"}
	var deltas script
	src := clientgo.Transform(source.Source[metav1.Object]{ListerWatcher: &deltas}, func(obj any) (any, error) {
		to := names[obj.(metav1.Object).GetName()]
		if to == "" {
			return nil, errors.New("malformed")
		}
		return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: to}}, nil
	})
	key := func(name string) types.NamespacedName { return types.NamespacedName{Namespace: "ns", Name: name} }
	of := func(t delta.Type, name string) source.Delta[metav1.Object] {
		return delta.New[types.NamespacedName, metav1.Object](t, key(name), &metav1.ObjectMeta{Namespace: "ns", Name: name})
	}
	bare := func(t delta.Type, name string) source.Delta[metav1.Object] {
		return delta.WithKey[types.NamespacedName, metav1.Object](t, key(name))
	}
	var got []string
	record := func(d source.Delta[metav1.Object], _ error) error {
		got = append(got, fmt.Sprintf("%v %s", d.Type, d.Key.Name))
		return nil
	}
	list := func(ds ...source.Delta[metav1.Object]) {
		deltas = ds
		_, _ = src.List(t.Context(), metav1.ListOptions{}, record)
	}
	watch := func(ds ...source.Delta[metav1.Object]) {
		deltas = ds
		_ = src.Watch(t.Context(), metav1.ListOptions{}, func(d source.Delta[metav1.Object], _ string, err error) error {
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

	watch(of(delta.Added, "a"), of(delta.Added, "b"), delta.Bare[types.NamespacedName, metav1.Object](delta.InitialEnd))
	list(of(delta.Replaced, "b"))
	list(of(delta.Replaced, "b"))
	got = nil
	watch(bare(delta.Stale, "a"), bare(delta.Stale, "b"))
	want("two lists lacked one", "Stale a", "Stale y")

	nothing := func(types.NamespacedName) (_ metav1.Object, ok bool) { return nil, false }
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
