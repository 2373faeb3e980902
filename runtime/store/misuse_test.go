// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// An index of values with interfaces has no objects, because different values may have the same
// hash.
func TestIndexOfInterfaces(t *testing.T) {
	var reported []error
	s := store.New(func(it *item) string { return it.key },
		store.WithErrorHandler(func(err error) { reported = append(reported, err) }))
	byAny := store.AddIndex(s, "any", func(dst []any, it *item) []any { return append(dst, it.node) })
	_ = s.Set(&item{key: "x", node: "n"})
	if len(reported) != 1 || !strings.Contains(reported[0].Error(), "index any: object x: ") ||
		!strings.Contains(reported[0].Error(), "interfaces") {
		t.Errorf("reported %v", reported)
	}
	if r := s.Reader(); r.Len() != 1 || byAny.Len(r) != 0 {
		t.Errorf("%d objects, %d values", r.Len(), byAny.Len(r))
	}
}

// Nil arguments are ignored or reported at once. They cause no panic later.
func TestNilFunctions(t *testing.T) {
	var reported []error
	s := store.New(func(it *item) string { return it.key }, nil, store.WithErrorHandler(nil),
		store.WithErrorHandler(func(err error) { reported = append(reported, err) }))
	defer store.FeederOf(s).AddErrorHandler(nil)()
	ix := store.AddIndex[string, *item, string](s, "no function", nil)
	if err := s.Set(&item{key: "x", node: "n"}); err != nil {
		t.Fatal(err)
	}
	if len(reported) != 1 || !strings.Contains(reported[0].Error(), "no function") {
		t.Errorf("reported %v", reported)
	}
	r := s.Reader()
	if r.Len() != 1 || ix.Count(r, "n") != 0 {
		t.Error("something is wrong with the store")
	}
	var ke *store.KeyError
	if err := store.New[string, *item](nil).Set(&item{}); !errors.As(err, &ke) {
		t.Errorf("a store without a key function: %v", err)
	}
}

// After a callback that called runtime.Goexit the next write panics, and reads still work.
func TestCallbackThatEndsItsGoroutine(t *testing.T) {
	s := store.New(func(it *item) string { return it.key })
	store.AddIndex(s, "node", func(dst []string, it *item) []string {
		if it.key == "bad" {
			runtime.Goexit()
		}
		return append(dst, it.node)
	})
	_ = s.Set(&item{key: "x"})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Set(&item{key: "bad"})
	}()
	<-done
	for range 2 {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "Goexit") {
					t.Errorf("the next write: %v", r)
				}
			}()
			_ = s.Set(&item{key: "y"})
		}()
	}
	if _, ok := s.Reader().Get("x"); !ok || s.Reader().Len() != 1 {
		t.Error("readers do not see what was there before")
	}
}
