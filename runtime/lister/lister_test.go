// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package lister_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/lister"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

type object = metav1.PartialObjectMetadata

var widgets = schema.GroupResource{Group: "lab.dev", Resource: "widgets"}

func widget(namespace, name, app string) *object {
	return &object{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace,
			Name:      name,
			Labels:    map[string]string{"app": app},
		},
	}
}

func names(objs ...*object) string {
	var s []string
	for _, o := range objs {
		s = append(s, o.Namespace+"/"+o.Name)
	}
	slices.Sort(s)
	return strings.Join(s, " ")
}

func TestNamespaced(t *testing.T) {
	s := store.ForObjects[*object]()
	l := lister.New(s, widgets)
	for _, o := range []*object{widget("a", "1", "x"), widget("a", "2", "y"), widget("b", "1", "x")} {
		if err := s.Set(o); err != nil {
			t.Fatal(err)
		}
	}
	snap := l.Snapshot()
	s.Delete(types.NamespacedName{Namespace: "a", Name: "1"})

	x := labels.SelectorFromSet(labels.Set{"app": "x"})
	for _, c := range []struct {
		what, got, want string
	}{
		{"All", names(slices.Collect(l.All())...), "a/2 b/1"},
		{"snapshot All", names(slices.Collect(snap.All())...), "a/1 a/2 b/1"},
		{"List x", names(slices.Collect(l.List(x))...), "b/1"},
		{"snapshot List x", names(slices.Collect(snap.List(x))...), "a/1 b/1"},
		{"List everything", names(slices.Collect(l.List(labels.Everything()))...), "a/2 b/1"},
		{"List nil", names(slices.Collect(l.List(nil))...), "a/2 b/1"},
		{"List nothing", names(slices.Collect(l.List(labels.Nothing()))...), ""},
		{"namespace", names(slices.Collect(l.Namespace("a").All())...), "a/2"},
		{"snapshot namespace", names(slices.Collect(snap.Namespace("a").List(x))...), "a/1"},
		{"every namespace", names(slices.Collect(l.Namespace(metav1.NamespaceAll).All())...), "a/2 b/1"},
		{"no namespace", names(slices.Collect(l.Namespace("none").All())...), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.what, c.got, c.want)
		}
	}
	if l.Len() != 2 || snap.Len() != 3 || l.Namespace("a").Len() != 1 || snap.Namespace("a").Len() != 2 ||
		l.Namespace("").Len() != 2 {
		t.Error("Len is wrong")
	}
	if got := maps.Collect(snap.Namespaces()); !maps.Equal(got, map[string]int{"a": 2, "b": 1}) {
		t.Errorf("Namespaces: %v", got)
	}
	if o, err := l.Get("b", "1"); err != nil || o.Namespace != "b" {
		t.Errorf("Get: %v, %v", o, err)
	}
	if o, ok := l.Lookup(types.NamespacedName{Namespace: "a", Name: "2"}); !ok || o.Name != "2" {
		t.Errorf("Lookup: %v, %v", o, ok)
	}
	_, err := l.Namespace("a").Get("1")
	if !apierrors.IsNotFound(err) || err.Error() != `widgets.lab.dev "1" not found` {
		t.Errorf("Get of what is gone: %v", err)
	}
	if _, err := snap.Namespace("a").Get("1"); err != nil {
		t.Errorf("the snapshot has lost it: %v", err)
	}
}

func TestClusterScoped(t *testing.T) {
	s := store.ForObjects[*object]()
	l := lister.NewClusterScoped(s, widgets)
	s.Set(widget("", "1", "x"))
	snap := l.Snapshot()
	s.Delete(types.NamespacedName{Name: "1"})
	if _, err := l.Get("1"); !apierrors.IsNotFound(err) {
		t.Errorf("Get of what is gone: %v", err)
	}
	if o, err := snap.Get("1"); err != nil || o.Name != "1" {
		t.Errorf("snapshot Get: %v, %v", o, err)
	}
}

func TestGetCopy(t *testing.T) {
	s := store.ForObjects[*object]()
	l := lister.New(s, widgets)
	s.Set(widget("a", "1", "x"))
	c, err := l.GetCopy("a", "1")
	if err != nil {
		t.Fatal(err)
	}
	c.Labels["app"] = "changed"
	if o, _ := l.Get("a", "1"); o.Labels["app"] != "x" {
		t.Error("the copy is the cached object")
	}
	if _, err := l.Namespace("a").GetCopy("none"); !apierrors.IsNotFound(err) {
		t.Errorf("GetCopy of nothing: %v", err)
	}
}

// slim is a type of only the fields wanted, copied can be copied, and whole should be.
type (
	slim   struct{ metav1.ObjectMeta }
	copied struct{ metav1.ObjectMeta }
	whole  struct {
		metav1.TypeMeta
		metav1.ObjectMeta
	}
)

func (c *copied) DeepCopy() *copied { return &copied{*c.ObjectMeta.DeepCopy()} }

// deepCopyOf returns the copy of an object that a lister makes.
func deepCopyOf[T metav1.Object](obj T) (T, error) {
	s := store.ForObjects[T]()
	_ = s.Set(obj)
	return lister.New(s, schema.GroupResource{}).GetCopy(obj.GetNamespace(), obj.GetName())
}

func TestCopyOfTypesWithoutDeepCopyObject(t *testing.T) {
	meta := metav1.ObjectMeta{Namespace: "ns", Name: "a", Labels: map[string]string{"app": "x"}}
	obj := &copied{meta}
	c, err := deepCopyOf(obj)
	if err != nil || c == obj || c.Name != "a" {
		t.Fatalf("%v, %v", c, err)
	}
	c.Labels["app"] = "changed"
	if obj.Labels["app"] != "x" {
		t.Error("the copy is shallow")
	}
	_, slimErr := deepCopyOf(&slim{meta})
	_, wholeErr := deepCopyOf(&whole{ObjectMeta: meta})
	for err, parts := range map[error][]string{
		slimErr:  {"ns/a", "*lister_test.slim", "from the API server", "DeepCopy() *lister_test.slim"},
		wholeErr: {"ns/a", "*lister_test.whole", "DeepCopyObject", "controller-gen object", "+kubebuilder:object:root=true"},
	} {
		for _, part := range parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%v lacks %q", err, part)
			}
		}
	}
	if slimErr != nil && strings.Contains(slimErr.Error(), "controller-gen") {
		t.Errorf("controller-gen can do nothing for a type without a kind: %v", slimErr)
	}
}

func TestOwners(t *testing.T) {
	yes, no := true, false
	o := widget("a", "1", "x")
	o.OwnerReferences = []metav1.OwnerReference{
		{UID: "1"},
		{UID: "2", Controller: &no},
		{UID: "3", Controller: &yes},
	}
	if got := lister.Owners(nil, o); !slices.Equal(got, []types.UID{"1", "2", "3"}) {
		t.Errorf("Owners: %v", got)
	}
	if got := lister.Controller(nil, o); !slices.Equal(got, []types.UID{"3"}) {
		t.Errorf("Controller: %v", got)
	}
	o.OwnerReferences = nil
	if got := lister.Controller(lister.Owners(nil, o), o); got != nil {
		t.Errorf("without owners: %v", got)
	}
}

// A store may have several listers, and has one index for all of them.
func TestSeveralListersOfAStore(t *testing.T) {
	s := store.ForObjects[*object]()
	a, b := lister.New(s, widgets), lister.New(s, widgets)
	_, _ = store.AddLabels(s), store.AddLabels(s)
	if got := s.Indexes(); !slices.Equal(got, []string{"Namespace", "Labels"}) {
		t.Errorf("indexes: %v", got)
	}
	s.Set(widget("a", "1", "x"))
	c := lister.New(s, widgets)
	for _, l := range []lister.Lister[*object]{a, b, c} {
		if got := names(slices.Collect(l.Namespace("a").All())...); got != "a/1" {
			t.Errorf("got %q", got)
		}
	}
	// One of a user's that is named so is another.
	own := store.AddIndex(
		s,
		"Namespace",
		func(dst []string, o *object) []string { return append(dst, o.Name) },
	)
	if lister.New(s, widgets).Namespace("a").Len() != 1 || own.Count(s.Reader(), "1") != 1 ||
		len(s.Indexes()) != 3 {
		t.Errorf("indexes: %v", s.Indexes())
	}
}
