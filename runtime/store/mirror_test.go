// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"errors"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestIndexFunctionThatPanics(t *testing.T) {
	var reported []error
	s := store.New(func(it *item) string { return it.key }, store.WithErrorHandler(func(err error) {
		reported = append(reported, err)
	}))
	bad := store.AddIndex(s, "bad", func(dst []string, it *item) []string {
		if it.node == "boom" {
			panic("no node")
		}
		return append(dst, it.node)
	})
	good := store.AddIndex(s, "good", nodeOf)
	for _, node := range []string{"a", "boom", "b"} {
		if err := s.Set(&item{key: "x", node: node}); err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Reader().Get("x"); !ok {
			t.Fatalf("node %s: rejected", node)
		}
		if good.Count(s.Reader(), node) != 1 {
			t.Errorf("node %s: another index has lost it", node)
		}
		if want := node != "boom"; bad.Count(s.Reader(), node) == 1 != want {
			t.Errorf("node %s: indexed: %v", node, !want)
		}
	}
	if bad.Count(s.Reader(), "a") != 0 {
		t.Error("an old value outlives a failed update")
	}
	var ie *store.IndexError
	if len(reported) != 1 || !errors.As(reported[0], &ie) || ie.Index != "bad" || ie.Key != "x" {
		t.Fatalf("reported %v", reported)
	}
}

func TestImpureFunctionLeavesNoStaleEntry(t *testing.T) {
	for name, after := range map[string][]string{
		"other value":    {"changed"},
		"fewer values":   {"a"},
		"more values":    {"a", "b", "c"},
		"no value":       nil,
		"one of several": {"a", "changed"},
	} {
		for _, deleted := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " deleted ", deleted), func(t *testing.T) {
				says := []string{"a", "b"}
				s := store.New(func(it *item) string { return it.key })
				reported := store.ReportsOf(s)
				ix := store.AddIndex(s, "impure", func(dst []string, it *item) []string {
					return append(dst, says...)
				})
				s.Set(&item{key: "x"})
				says = after
				if deleted {
					s.Delete("x")
					says = nil
					s.Set(&item{key: "takes the slot"})
				} else {
					s.Set(&item{key: "x", rev: 1})
				}
				got := map[string]int{}
				for v, n := range ix.Values(s.Reader()) {
					got[v] = n
				}
				if len(got) != len(says) {
					t.Errorf("the index has %v, the function says %v", got, says)
				}
				if err := errors.Join(reported()...); !errors.Is(err, store.ErrImpure) {
					t.Errorf("not reported: %v", err)
				}
			})
		}
	}
}

func TestWrittenObjectIsRepaired(t *testing.T) {
	f := newFixture()
	it := &item{key: "x", node: "before"}
	f.Set(it)
	it.node = "after" // what nobody may do to a cached object
	f.Set(&item{key: "x", node: "after"})
	if f.byNode.Count(f.Reader(), "before") != 0 || f.byNode.Count(f.Reader(), "after") != 1 {
		t.Error("the index still has the object where it was before somebody wrote to it")
	}
}

func TestObjectWithoutAKey(t *testing.T) {
	s := store.ForObjects[*metav1.PartialObjectMetadata]()
	var ke *store.KeyError
	if err := s.Set(nil); !errors.As(err, &ke) {
		t.Errorf("Set(nil) = %v", err)
	}
	good := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	if err := s.Set(good); err != nil {
		t.Fatal(err)
	}
	err := s.Replace([]*metav1.PartialObjectMetadata{good.DeepCopy(), nil}, "7")
	if !errors.As(err, &ke) || ke.Position != 1 {
		t.Errorf("Replace = %v", err)
	}
	if got, ok := s.Reader().Get(types.NamespacedName{Name: "a"}); got != good || !ok ||
		s.Reader().ResourceVersion() != "" {
		t.Error("a failed Replace has done something")
	}
}
