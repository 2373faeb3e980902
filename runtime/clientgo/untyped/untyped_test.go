// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package untyped_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo/untyped"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Widget and Gadget stand for types of a user; Widget is registered.
type (
	Widget struct{ metav1.ObjectMeta }
	Gadget struct{ metav1.ObjectMeta }
)

func init() { untyped.Register[*Widget]() }

func TestNew(t *testing.T) {
	named := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: "n", Name: name} }
	for name, test := range map[string]struct {
		example any
		stores  string // the type of the store, and what it holds after the first list
		fails   string // why it does not sync
	}{
		"registered": {&Widget{}, "*store.Store[k8s.io/apimachinery/pkg/types.NamespacedName," +
			"*github.com/indexer-gen/indexer-gen/runtime/clientgo/untyped_test.Widget] 0", "n/gadget: a *untyped_test.Gadget is not stored with objects of type *untyped_test.Widget"},
		"unknown": {&Gadget{}, "*store.Store[k8s.io/apimachinery/pkg/types.NamespacedName," +
			"k8s.io/apimachinery/pkg/apis/meta/v1.Object] 2", ""},
		"none": {nil, "*store.Store[k8s.io/apimachinery/pkg/types.NamespacedName," +
			"k8s.io/apimachinery/pkg/apis/meta/v1.Object] 2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := runtimetest.NewServer[metav1.Object]()
				server.Set(&Widget{named("widget")})
				server.Set(&Gadget{named("gadget")})
				i := untyped.New(test.example, schema.GroupVersionResource{Resource: "things"}, server.Source(), nil)
				ctx, cancel := context.WithCancel(t.Context())
				stopped := make(chan error)
				go func() { stopped <- i.Run(ctx) }()
				waiting, end := context.WithTimeout(ctx, time.Hour) // of the bubble
				defer end()
				err := i.WaitForSync(waiting)
				if (err != nil) != (test.fails != "") || err != nil && !strings.Contains(err.Error(), test.fails) {
					t.Errorf("got the error %v, want %q", err, test.fails)
				}
				if got := fmt.Sprintf("%T %d", i.Store().Typed(), i.Store().Len()); got != test.stores {
					t.Errorf("got %s, want %s", got, test.stores)
				}
				cancel()
				<-stopped
			})
		})
	}
}

func TestStore(t *testing.T) {
	typed := store.ForObjects[*Widget]()
	s := untyped.OfStore(typed)
	byName := s.AddIndex("name", func(dst []string, obj metav1.Object) []string { return append(dst, obj.GetName()) })
	a := &Widget{metav1.ObjectMeta{Name: "a", ResourceVersion: "3"}}
	if err := s.Set(a); err != nil {
		t.Fatal(err)
	}
	if s.Set(&Gadget{}) == nil || s.Replace([]metav1.Object{&Gadget{}}, "4") == nil {
		t.Error("an object of another type was stored")
	}
	if got, ok := typed.Reader().Get(types.NamespacedName{Name: "a"}); got != a || !ok || s.ResourceVersion() != "3" {
		t.Errorf("stored %v at version %q", got, s.ResourceVersion())
	}
	for found := range byName.In("a", "b", "a") {
		if found != metav1.Object(a) {
			t.Errorf("found %v", found)
		}
	}
	if byName.Count("a") != 1 || byName.Len() != 1 || s.Typed() != any(typed) {
		t.Error("the index or the typed store is another")
	}
}

// Copyable has a generated method.
type Copyable struct{ metav1.ObjectMeta }

func (c *Copyable) DeepCopyInto(into *Copyable) {
	*into = *c
	c.ObjectMeta.DeepCopyInto(&into.ObjectMeta)
}

func TestDeepCopyInto(t *testing.T) {
	from, into := &Copyable{metav1.ObjectMeta{Name: "a", Labels: map[string]string{"app": "x"}}}, &Copyable{}
	if untyped.DeepCopyInto(from) != nil {
		t.Error("the type is not registered")
	}
	untyped.Register[*Copyable]()
	untyped.DeepCopyInto(from)(from, into)
	from.Labels["app"] = "y"
	if into.Name != "a" || into.Labels["app"] != "x" {
		t.Errorf("copied %v", into)
	}
	if untyped.DeepCopyInto(&Widget{}) != nil {
		t.Error("the type does not have the method")
	}
}

func TestFind(t *testing.T) {
	for _, labeled := range []bool{false, true} {
		typed := store.ForObjects[*Widget]()
		if labeled {
			store.AddLabels(typed)
		}
		s := untyped.OfStore(typed)
		node := s.AddIndex("node", func(dst []string, obj metav1.Object) []string {
			return append(dst, obj.GetAnnotations()["node"])
		})
		zone := s.AddIndex("zone", func(dst []string, obj metav1.Object) []string {
			return append(dst, obj.GetAnnotations()["zone"])
		})
		for _, name := range []string{"n1.z1.x", "n1.z2.x", "n2.z1.x", "n1.z1.y"} {
			parts := strings.Split(name, ".")
			_ = s.Set(&Widget{metav1.ObjectMeta{
				Name: name, Labels: map[string]string{"app": parts[2]},
				Annotations: map[string]string{"node": parts[0], "zone": parts[1]},
			}})
		}
		n1, z1 := untyped.Term{Index: node, Value: "n1"}, untyped.Term{Index: zone, Value: "z1"}
		for _, test := range []struct {
			selector string
			terms    []untyped.Term
			want     string
		}{
			{"", nil, "n1.z1.x n1.z1.y n1.z2.x n2.z1.x"},
			{"", []untyped.Term{n1}, "n1.z1.x n1.z1.y n1.z2.x"},
			{"", []untyped.Term{n1, z1}, "n1.z1.x n1.z1.y"},
			{"app=x", []untyped.Term{n1, z1}, "n1.z1.x"},
			{"app=x", nil, "n1.z1.x n1.z2.x n2.z1.x"},
			{"", []untyped.Term{n1, {Index: zone, Value: "z3"}}, ""},
		} {
			selector, err := labels.Parse(test.selector)
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for obj := range s.Find(selector, test.terms...) {
				found = append(found, obj.GetName())
			}
			slices.Sort(found)
			if got := strings.Join(found, " "); got != test.want {
				t.Errorf("label index %t, %q and %d terms: got %q, want %q",
					labeled, test.selector, len(test.terms), got, test.want)
			}
		}
	}
}

// reusing is a source that notes which object was in the cache when it was read.
type reusing struct {
	*runtimetest.Server[metav1.Object]
	held chan metav1.Object
}

func (s reusing) reuse(held func(types.NamespacedName) (metav1.Object, bool)) source.ListerWatcher[metav1.Object] {
	obj, _ := held(types.NamespacedName{Name: "a"})
	s.held <- obj
	return s.Server
}

func TestSourcesReuseObjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := reusing{runtimetest.NewServer[metav1.Object](), make(chan metav1.Object, 1)}
		i := untyped.New(&Widget{}, schema.GroupVersionResource{Resource: "widgets"},
			source.Source[metav1.Object]{ListerWatcher: src, Reuse: src.reuse}, nil)
		a := &Widget{metav1.ObjectMeta{Name: "a"}}
		_ = i.Store().Set(a)
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan error)
		go func() { stopped <- i.Run(ctx) }()
		if got := <-src.held; got != metav1.Object(a) {
			t.Errorf("the source can reuse %v", got)
		}
		cancel()
		<-stopped
	})
}
