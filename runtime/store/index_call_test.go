// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// The store writes to the dst of an index function, and not to another slice that it returns,
// which may be a part of the object.
func TestIndexFunctionThatReturnsTheObjectsOwn(t *testing.T) {
	many := make([]string, 50)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	for name, fn := range map[string]func(dst []string, it *item) []string{
		"own":             func(_ []string, it *item) []string { return it.labels },
		"some of its own": func(_ []string, it *item) []string { return it.labels[1:] },
		"own or appended": func(dst []string, it *item) []string {
			return slices.Concat(dst, it.labels)[:len(it.labels)]
		},
		"a part of dst": func(dst []string, it *item) []string {
			return append(append(dst, "x"), it.labels...)[1:]
		},
		"appended to none": func(_ []string, it *item) []string {
			return append([]string(nil), it.labels...)
		},
	} {
		s := store.New(func(it *item) string { return it.key })
		reported := store.ReportsOf(s)
		ix := store.AddIndex(s, "labels", fn)
		var written, asWritten [][]string
		for i := range 40 {
			labels := [][]string{{"a", "a", "b"}, many, {"c"}, {"b", "c", "b", "d"}, {}}[i%5]
			if name == "some of its own" && len(labels) == 0 {
				labels = []string{"z"}
			}
			labels = slices.Clone(labels)
			written, asWritten = append(written, labels), append(asWritten, slices.Clone(labels))
			if err := s.Set(&item{key: fmt.Sprint("k", i/2), labels: labels}); err != nil {
				t.Fatal(err)
			}
		}
		for i, labels := range written {
			if !slices.Equal(labels, asWritten[i]) {
				t.Errorf("%s: the store has written to an object: %q, was %q", name, labels, asWritten[i])
			}
		}
		for it := range s.Reader().All() {
			values := it.labels
			if name == "some of its own" {
				values = values[1:]
			}
			for _, v := range values {
				if !slices.Contains(slices.Collect(ix.Get(s.Reader(), v)), it) {
					t.Errorf("%s: %s is not under %s", name, it.key, v)
				}
			}
		}
		for v := range ix.Values(s.Reader()) {
			for it := range ix.Get(s.Reader(), v) {
				if !slices.Contains(it.labels, v) {
					t.Errorf("%s: %s is under %s", name, it.key, v)
				}
			}
		}
		if errs := reported(); len(errs) > 0 {
			t.Errorf("%s: %v", name, errs)
		}
	}
}
