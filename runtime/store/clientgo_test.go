// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/indexer-gen/indexer-gen/runtime/mutation"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// counterparts has for each line of the table in doc.go a test that what the
// right column names does what client-go's does.
var counterparts = map[string]func(*testing.T, fixture){
	"Add, Update": func(t *testing.T, f fixture) {
		f.Set(&item{key: "k1", node: "moved"})
		f.Set(&item{key: "new", node: "moved"})
		expect(t, keys(f.byNode.Get(f.Reader(), "moved")), "k1 new")
		expect(t, keys(f.byNode.Get(f.Reader(), "n1")), "")
	},
	"Delete": func(t *testing.T, f fixture) {
		if !f.Delete("k1") || f.Delete("none") {
			t.Error("Delete says the wrong thing")
		}
		expect(t, keys(f.Reader().All()), "k0 k2")
	},
	"Get, GetByKey": func(t *testing.T, f fixture) {
		if it, ok := f.Reader().Get("k1"); !ok || it.node != "n1" {
			t.Errorf("Get = %v, %v", it, ok)
		}
		if it, ok := f.Reader().Get("none"); ok || it != nil {
			t.Errorf("Get of nothing = %v, %v", it, ok)
		}
	},
	"List":     func(t *testing.T, f fixture) { expect(t, keys(f.Reader().All()), "k0 k1 k2") },
	"ListKeys": func(t *testing.T, f fixture) { expect(t, slices.Collect(f.Reader().Keys()), "k0 k1 k2") },
	"Replace": func(t *testing.T, f fixture) {
		f.Replace([]*item{{key: "k2", node: "n9"}, {key: "x"}}, "7")
		expect(t, keys(f.Reader().All()), "k2 x")
		expect(t, keys(f.byNode.Get(f.Reader(), "n9")), "k2")
		expect(t, []string{f.Reader().ResourceVersion()}, "7")
	},
	"Resync": func(t *testing.T, f fixture) {
		if _, ok := any(f.Store).(interface{ Resync() error }); ok {
			t.Error("there is something to do: say what in the table")
		}
	},
	"Bookmark": func(t *testing.T, f fixture) {
		bookmark(f.Store, "12")
		expect(t, []string{f.Reader().ResourceVersion()}, "12")
		expect(t, keys(f.Reader().All()), "k0 k1 k2")
	},
	"LastStoreSyncResourceVersion": func(t *testing.T, f fixture) {
		var b store.Batch[string, *item]
		b.Set(&item{key: "k1"})
		b.ResourceVersion("8")
		f.Apply(&b)
		expect(t, []string{f.Reader().ResourceVersion()}, "8")
	},
	"TransactionStore.Transaction": func(t *testing.T, f fixture) {
		var b store.Batch[string, *item]
		b.Set(&item{key: "x"})
		b.Delete("k0")
		f.Apply(&b)
		expect(t, keys(f.Reader().All()), "k1 k2 x")
	},
	"Index": func(t *testing.T, f fixture) {
		f.Set(&item{key: "other", labels: []string{"l1", "l2", "none has this"}})
		expect(
			t,
			keys(f.byLabel.SharingValues(&item{labels: []string{"l1", "l2", "nor this"}}).Get(f.Reader())),
			"k1 k2 other",
		)
	},
	"IndexKeys": func(t *testing.T, f fixture) {
		expect(t, slices.Collect(f.byLabel.Equal("all").Keys(f.Reader())), "k0 k1 k2")
		expect(t, slices.Collect(f.byLabel.Equal("none").Keys(f.Reader())), "")
	},
	"ListIndexFuncValues": func(t *testing.T, f fixture) {
		expect(t, slices.Collect(maps.Keys(maps.Collect(f.byNode.Values(f.Reader())))), "n0 n1 n2")
		if f.byNode.Len(f.Reader()) != 3 {
			t.Error("Len is wrong")
		}
	},
	"ByIndex": func(t *testing.T, f fixture) {
		expect(t, keys(f.byLabel.Get(f.Reader(), "l1")), "k1")
		expect(t, keys(f.byLabel.Get(f.Reader(), "none")), "")
	},
	"GetIndexers": func(t *testing.T, f fixture) {
		expect(t, f.Indexes(), "Labels age label marks name node pair rank")
	},
	"AddIndexers": func(t *testing.T, f fixture) {
		late := store.AddIndex(f.Store, "late", nodeOf)
		expect(t, keys(late.Get(f.Reader(), "n1")), "k1")
		f.Set(&item{key: "x", node: "n1"})
		expect(t, keys(late.Get(f.Reader(), "n1")), "k1 x")
	},
	"NewStore, NewIndexer": func(t *testing.T, _ fixture) {
		s := store.ForObjects[*metav1.PartialObjectMetadata]()
		ns := store.AddIndex(s, "namespace", func(dst []string, o *metav1.PartialObjectMetadata) []string {
			return append(dst, o.Namespace)
		})
		for _, key := range []string{"a/x", "a/y", "b/x"} {
			namespace, name, _ := strings.Cut(key, "/")
			s.Set(
				&metav1.PartialObjectMetadata{
					ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
				},
			)
		}
		if s.Reader().Len() != 3 || ns.Count(s.Reader(), "a") != 2 {
			t.Errorf("%d objects, %d in namespace a", s.Reader().Len(), ns.Count(s.Reader(), "a"))
		}
	},
	"NewThreadSafeStore": func(t *testing.T, f fixture) {
		// Used by several at once; of several values of an object just the
		// current ones are left, and no bucket is empty.
		var wg sync.WaitGroup
		for _, key := range []string{"a", "b"} {
			wg.Go(func() {
				for i := range 200 {
					f.Set(&item{key: key, labels: []string{fmt.Sprint(i), fmt.Sprint(i + 1)}})
				}
			})
		}
		wg.Wait()
		expect(
			t,
			slices.Collect(maps.Keys(maps.Collect(f.byLabel.Values(f.Reader())))),
			"199 200 all l0 l1 l2",
		)
		expect(t, keys(f.byLabel.Get(f.Reader(), "199")), "a b")
	},
	"MetaNamespaceIndexFunc": func(t *testing.T, f fixture) {
		byNamespace := store.AddIndex(f.Store, "namespace", func(dst []string, it *item) []string {
			return append(dst, it.Namespace)
		})
		f.Set(&item{key: "x", ObjectMeta: metav1.ObjectMeta{Namespace: "a"}})
		expect(t, keys(byNamespace.Get(f.Reader(), "a")), "x")
		expect(t, keys(byNamespace.GetOrAll(f.Reader(), "", true)), "k0 k1 k2 x")
	},
	"ListAll": func(t *testing.T, f fixture) {
		f.Set(&item{key: "x", ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "a"}}})
		selector, _ := labels.Parse("app=a")
		expect(t, keys(store.Matching[string, *item](selector).Get(f.Reader())), "x")
		expect(t, keys(store.Matching[string, *item](labels.Everything()).Get(f.Reader())), "k0 k1 k2 x")
	},
	"ListAllByNamespace": func(t *testing.T, f fixture) {
		byNamespace := store.AddIndex(f.Store, "namespace", func(dst []string, it *item) []string {
			return append(dst, it.Namespace)
		})
		for _, namespace := range []string{"a", "b"} {
			f.Set(
				&item{
					key: "in-" + namespace,
					ObjectMeta: metav1.ObjectMeta{
						Namespace: namespace,
						Labels:    map[string]string{"app": "a"},
					},
				},
			)
		}
		selector, _ := labels.Parse("app=a")
		matching := store.Matching[string, *item](selector)
		expect(t, keys(store.AllOf(byNamespace.Equal("b"), matching).Get(f.Reader())), "in-b")
		expect(t, keys(matching.Get(f.Reader())), "in-a in-b")
	},
	"MutationCache": func(t *testing.T, f fixture) {
		waits := make(chan error, 1)
		go func() { waits <- f.Reader().WaitFor(t.Context(), "12") }()
		bookmark(f.Store, "12")
		if err := <-waits; err != nil {
			t.Error(err)
		}
	},
	"DeleteWithObject": func(t *testing.T, f fixture) {
		var b store.Batch[string, *item]
		b.Delete("k0")
		b.ResourceVersion("9")
		f.Apply(&b)
		expect(t, keys(f.Reader().All()), "k1 k2")
		expect(t, []string{f.Reader().ResourceVersion()}, "9")
	},
	"MetaNamespaceKeyFunc": func(t *testing.T, _ fixture) {
		o := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "b"}}
		s := store.ForObjects[*metav1.PartialObjectMetadata]()
		s.Set(o)
		if got, ok := s.Reader().Get(store.KeyOf(o)); !ok || got != o || store.KeyOf(o).String() != "a/b" {
			t.Error("the object is not under its key")
		}
	},
	"SplitMetaNamespaceKey": func(t *testing.T, _ fixture) {
		s := store.ForObjects[*metav1.PartialObjectMetadata]()
		for _, namespace := range []string{"", "a/b"} {
			s.Set(
				&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "c"}},
			)
		}
		var parts []string
		for key := range s.Reader().Keys() {
			parts = append(parts, fmt.Sprintf("%q:%q", key.Namespace, key.Name))
		}
		expect(t, parts, `"":"c" "a/b":"c"`)
	},
	"ExplicitKey": func(t *testing.T, _ fixture) {
		type key struct{ cluster, name string }
		clusters := map[*item]string{}
		s := store.New(func(it *item) key { return key{clusters[it], it.key} })
		for _, c := range []string{"east", "west"} {
			it := &item{key: "same", node: c}
			clusters[it] = c
			s.Set(it)
		}
		if it, ok := s.Reader().Get(key{"west", "same"}); !ok || it.node != "west" || s.Reader().Len() != 2 {
			t.Errorf("Get = %v", it)
		}
	},
	"KeyError": func(t *testing.T, f fixture) {
		var ke *store.KeyError
		if err := f.Set(nil); !errors.As(err, &ke) {
			t.Errorf("Set(nil) = %v", err)
		}
	},
	"IndexFuncToKeyFuncAdapter": func(t *testing.T, f fixture) {
		f.Set(&item{key: "x", name: "only"})
		if it, ok := f.byName.Get(f.Reader(), "only"); !ok || it.key != "x" {
			t.Errorf("Get = %v, %v", it, ok)
		}
		nameOf := func(it *item) []string { return nameOf(nil, it) }
		byName := store.New(func(it *item) string { return nameOf(it)[0] })
		byName.Set(&item{key: "x", name: "only"})
		if it, ok := byName.Reader().Get("only"); !ok || it.key != "x" {
			t.Errorf("Get = %v, %v", it, ok)
		}
	},
	"MutationDetector": func(t *testing.T, _ fixture) {
		f := newFixture(mutation.WithDetector())
		it := &item{key: "x"}
		f.Set(it)
		it.Labels = map[string]string{"a": "b"}
		if f.CheckMutations() == nil {
			t.Error("not found")
		}
	},
}

func TestClientGoCounterparts(t *testing.T) {
	doc, err := os.ReadFile("../../docs/from-client-go.md")
	if os.IsNotExist(err) {
		t.Skip("the module is tested outside its repository")
	} else if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(
		string(doc),
		"`store.TestClientGoCounterparts` has a test for each row.\n\n| client-go | Here |\n|---|---|\n",
	)
	if !ok {
		t.Fatal("docs/from-client-go.md has no table of the store")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	line := regexp.MustCompile(`^\| (\S.*?) \|`)
	tested := map[string]bool{}
	for l := range strings.Lines(table) {
		m := line.FindStringSubmatch(l)
		if m == nil {
			t.Fatalf("not a row of the table: %q", l)
		}
		test := counterparts[m[1]]
		if tested[m[1]] = true; test == nil {
			t.Errorf("%s has no test", m[1])
			continue
		}
		t.Run(m[1], func(t *testing.T) {
			f := newFixture()
			for i, node := range []string{"n0", "n1", "n2"} {
				f.Set(&item{key: "k" + node[1:], node: node, labels: []string{"all", "l" + node[1:]}, rev: i})
			}
			test(t, f)
		})
	}
	for name := range counterparts {
		if !tested[name] {
			t.Errorf("%s is not in the table", name)
		}
	}
}

func keys(seq func(func(*item) bool)) (keys []string) {
	for it := range seq {
		keys = append(keys, it.key)
	}
	return keys
}

func expect(t *testing.T, got []string, want string) {
	t.Helper()
	if got := strings.Join(slices.Sorted(slices.Values(got)), " "); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
