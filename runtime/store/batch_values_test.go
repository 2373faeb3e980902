// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// measured is an object with index values; index functions return them in several ways.
type measured struct {
	key    string
	values []float64
	how    int
}

func valuesOf(dst []float64, m *measured) []float64 {
	switch m.how {
	case 1: // not what was given
		return m.values
	case 2: // one by one, which may take more room than there was
		for _, v := range m.values {
			dst = append(dst, v)
		}
		return dst
	case 3:
		panic("no value")
	}
	return append(dst, m.values...)
}

// The results and reports of a batch are those of single writes.
func TestBatchIndexesAsSingleWritesDo(t *testing.T) {
	for how, write := range map[string]func(s *store.Store[string, *measured], all []*measured) error{
		"a batch": func(s *store.Store[string, *measured], all []*measured) error {
			var b store.Batch[string, *measured]
			for i, m := range all {
				if b.Set(m); i%20 == 19 {
					b.Delete(m.key)
				}
			}
			_, err := s.Apply(&b)
			return err
		},
		"a list": func(s *store.Store[string, *measured], all []*measured) error {
			all = slices.Clone(all)
			return s.Replace(slices.DeleteFunc(all, func(m *measured) bool { return m.key[0] == 'd' }), "1")
		},
	} {
		var got, want []string
		keep := func(to *[]string) func(error) {
			return func(err error) { *to = append(*to, err.Error()) }
		}
		keyOf := func(m *measured) string { return m.key }
		s := store.New(keyOf, store.WithErrorHandler(keep(&got)))
		single := store.New(keyOf, store.WithErrorHandler(keep(&want)))
		ix, sx := store.AddIndex(s, "values", valuesOf), store.AddIndex(single, "values", valuesOf)
		for round := range 3 {
			var all []*measured
			for i := range 200 {
				m := &measured{key: fmt.Sprint("k", i), how: i % 3}
				if i%20 == 19 {
					m.key = fmt.Sprint("d", i)
				}
				for j := range (i + round) % 5 {
					m.values = append(m.values, float64(i/10), float64(j), float64(i/10))
				}
				if i%7 == 0 {
					m.values = append(m.values, math.NaN())
				}
				if round == 2 && i == 50 {
					m.how = 3
				}
				all = append(all, m)
			}
			if err := write(s, all); err != nil {
				t.Fatal(err)
			}
			for i, m := range all {
				if i%20 != 19 {
					if err := single.Set(m); err != nil {
						t.Fatal(err)
					}
				}
			}
			got, want := maps.Collect(ix.Values(s.Reader())), maps.Collect(sx.Values(single.Reader()))
			if !maps.Equal(got, want) {
				t.Errorf("%s, round %d: %v, want %v", how, round, got, want)
			}
		}
		if !slices.Equal(got, want) || len(got) != 1 {
			t.Errorf("%s: reported %q, want %q", how, got, want)
		}
	}
}
