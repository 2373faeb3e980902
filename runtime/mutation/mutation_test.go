// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package mutation_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/mutation"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// gadget has fields of every shape that API types have.
type gadget struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Node    string                       `json:"nodeName"`
		Ports   []struct{ Number int32 }     `json:"ports"`
		Limits  map[string]resource.Quantity `json:"limits"`
		Replica *int32                       `json:"replicas"`
		Started *metav1.Time                 `json:"startedAt"`
		Extra   any                          `json:"extra"`
	} `json:"spec"`
}

func newGadget(name string) *gadget {
	g := &gadget{ObjectMeta: metav1.ObjectMeta{
		Namespace: "a", Name: name, Labels: map[string]string{"app": "x", "b.c/d": "x"},
	}}
	n := int32(3)
	g.Spec.Node, g.Spec.Replica = "n1", &n
	g.Spec.Ports = []struct{ Number int32 }{{80}, {443}}
	g.Spec.Limits = map[string]resource.Quantity{"cpu": resource.MustParse("2")}
	g.Spec.Started = &metav1.Time{Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	g.Spec.Extra = map[string]any{"list": []any{"x"}}
	return g
}

func gadgets(opts ...store.Option) *store.Store[types.NamespacedName, *gadget] {
	s := store.ForObjects[*gadget](opts...)
	store.AddIndex(s, "Node", func(dst []string, g *gadget) []string { return append(dst, g.Spec.Node) })
	store.AddIndex(s, "App", func(dst []string, g *gadget) []string { return append(dst, g.Labels["app"]) })
	return s
}

func TestMutationsAreNamed(t *testing.T) {
	for want, mutate := range map[string]func(*gadget){
		`.spec.nodeName was "n1" and is "n2";`: func(g *gadget) {
			g.Spec.Node = "n2"
		},
		`.metadata.labels.app was "x" and is "y";`: func(g *gadget) {
			g.Labels["app"] = "y"
		},
		`.metadata.labels.app was "x" and is absent;`: func(g *gadget) {
			g.Labels = map[string]string{"b.c/d": "x"}
		},
		`.metadata.labels['b.c/d'] was "x" and is "y";`: func(g *gadget) {
			g.Labels["b.c/d"] = "y"
		},
		`.metadata.labels.new was absent and is "y";`: func(g *gadget) {
			g.Labels["new"] = "y"
		},
		`.spec.ports[1].Number was 443 and is 8443;`: func(g *gadget) {
			g.Spec.Ports[1].Number = 8443
		},
		`.spec.ports[2] was absent and is {"Number":80};`: func(g *gadget) {
			g.Spec.Ports = append(g.Spec.Ports, g.Spec.Ports[0])
		},
		`.spec.limits.cpu was "2" and is "3";`: func(g *gadget) {
			g.Spec.Limits["cpu"] = resource.MustParse("3")
		},
		`.spec.replicas was 3 and is 4;`: func(g *gadget) {
			*g.Spec.Replica = 4
		},
		`.spec.replicas was 3 and is null;`: func(g *gadget) {
			g.Spec.Replica = nil
		},
		`.spec.startedAt was "2026-01-01T00:00:00Z" and is "2026-01-01T00:00:01Z";`: func(g *gadget) {
			g.Spec.Started.Time = g.Spec.Started.Add(time.Second)
		},
		`.spec.extra.list[0] was "x" and is "z";`: func(g *gadget) {
			g.Spec.Extra.(map[string]any)["list"].([]any)[0] = "z"
		},
		`.spec.extra was {"list":["x"]} and is 9007199254740993;`: func(g *gadget) {
			g.Spec.Extra = int64(9007199254740993)
		},
		`.spec.nodeName was "n1" and is "` + strings.Repeat("語", 119) + `…;`: func(g *gadget) {
			g.Spec.Node = strings.Repeat("語", 200)
		},
	} {
		s := gadgets(mutation.WithDetector())
		g := newGadget("one")
		s.Set(g)
		s.Set(newGadget("two"))
		if err := s.CheckMutations(); err != nil {
			t.Errorf("reported before there is one: %v", err)
		}
		mutate(g)
		err := s.CheckMutations()
		var me *store.MutationError
		if !errors.As(err, &me) || me.Key != "a/one" ||
			!strings.Contains(err.Error(), "*mutation_test.gadget a/one was changed after it was stored: "+want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if err := s.CheckMutations(); err != nil {
			t.Errorf("reported again: %v", err)
		}
	}
}

// A copy has pointers of its own; what they point to is the same.
func TestWhatNobodyTouchedIsNoMutation(t *testing.T) {
	type pointing struct {
		Name   string
		Owners []metav1.OwnerReference
		Spec   struct{ Replicas *int32 }
	}
	s := store.New(func(o *pointing) string { return o.Name }, mutation.WithDetector())
	yes, three := true, int32(3)
	o := &pointing{Name: "a", Owners: []metav1.OwnerReference{{Name: "x", Controller: &yes}}}
	o.Spec.Replicas = &three
	if err := s.Set(o); err != nil {
		t.Fatal(err)
	}
	if err := s.CheckMutations(); err != nil {
		t.Error(err)
	}
}

func TestMutationsAreFoundByWrites(t *testing.T) {
	for name, then := range map[string]func(*store.Store[types.NamespacedName, *gadget]){
		"replaced": func(s *store.Store[types.NamespacedName, *gadget]) { s.Set(newGadget("0")) },
		"deleted": func(s *store.Store[types.NamespacedName, *gadget]) {
			s.Delete(types.NamespacedName{Namespace: "a", Name: "0"})
		},
		"relisted": func(s *store.Store[types.NamespacedName, *gadget]) { s.Replace(nil, "1") },
		"others written": func(s *store.Store[types.NamespacedName, *gadget]) {
			for range 1000 { // each compares another object, whichever
				s.Set(newGadget("4"))
			}
		},
	} {
		var reported []error
		s := gadgets(mutation.WithDetector(), store.WithErrorHandler(func(err error) {
			reported = append(reported, err)
		}))
		var objs []*gadget
		for i := range 5 {
			objs = append(objs, newGadget(fmt.Sprint(i)))
			s.Set(objs[i])
		}
		objs[0].Labels["new"] = "label"
		then(s)
		var me *store.MutationError
		if len(reported) != 1 || !errors.As(reported[0], &me) || me.Key != "a/0" ||
			me.Path != ".metadata.labels.new" {
			t.Errorf("%s: reported %v", name, reported)
		}
	}
}

// Detect is for the stores that are made after it.
func TestDetect(t *testing.T) {
	s := gadgets()
	mutation.Detect()
	defer store.DetectAll(nil)
	if s.CheckMutations() == nil {
		t.Error("a store without a detector finds no mutation, and does not say why")
	}
	s = gadgets()
	if err := s.CheckMutations(); err != nil {
		t.Error(err)
	}
	g := newGadget("one")
	s.Set(g)
	g.Spec.Node = "n2"
	defer func() {
		if _, ok := recover().(*store.MutationError); !ok {
			t.Error("nobody listens, and it does not panic")
		}
	}()
	s.Set(newGadget("one"))
}

func TestMutationDetectorIsBounded(t *testing.T) {
	s := store.New(func(b *badge) string { return b.Name }, mutation.WithDetector())
	items := make([]*badge, 30_000)
	for i := range items {
		items[i] = &badge{Name: fmt.Sprint("k", i)}
		s.Set(items[i])
	}
	for _, it := range items {
		it.Site = "changed"
	}
	var all interface{ Unwrap() []error }
	if err := s.CheckMutations(); !errors.As(err, &all) || len(all.Unwrap()) != 10_000 {
		t.Errorf("got %.200v", err)
	}
	if s.Reader().Len() != len(items) {
		t.Errorf("%d objects", s.Reader().Len())
	}
}

type badge struct{ Name, Site string }

// line has a field that has no JSON.
type line struct {
	Name   string
	Events chan int
}

func TestDetectorOfWhatHasNoJSON(t *testing.T) {
	var errs []error
	s := store.New(func(l *line) string { return l.Name }, mutation.WithDetector(),
		store.WithErrorHandler(func(err error) { errs = append(errs, err) }))
	_ = s.Set(&line{Name: "a"})
	if len(errs) != 1 ||
		!strings.Contains(errs[0].Error(), "*mutation_test.line a is not watched: json: unsupported type") {
		t.Errorf("reported %v", errs)
	}
	s.Delete("a")
	if err := s.CheckMutations(); err != nil {
		t.Error(err)
	}
}

// A nil interface cannot be changed.
func TestDetectorOfNil(t *testing.T) {
	s := store.New(func(any) string { return "k" }, mutation.WithDetector())
	for range 2 {
		if err := s.Set(nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.CheckMutations(); err != nil || s.Reader().Len() != 1 {
		t.Errorf("%v, %d objects", err, s.Reader().Len())
	}
}
