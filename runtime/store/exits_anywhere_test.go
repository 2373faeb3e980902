// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// leaving counts calls of foreign code down, and ends the goroutine of the last.
var leaving fuse

func leave() {
	if leaving.left--; leaving.left == 0 {
		runtime.Goexit()
	}
}

// What ends the goroutine of a writer, wherever foreign code is called, leaves a store that
// has nothing of that write, and is written to as if it had never begun.
func TestWriteThatEndsItsGoroutine(t *testing.T) {
	for name, write := range map[string]func(s *Store[string, *frail]){
		"Set":    func(s *Store[string, *frail]) { _ = s.Set(frailOf("new", 0)) },
		"Delete": func(s *Store[string, *frail]) { s.Delete("k0") },
		"AddIndex": func(s *Store[string, *frail]) {
			AddIndex(s, "late", func(dst []int, o *frail) []int { leave(); return append(dst, o.Rank) })
		},
		"Replace": func(s *Store[string, *frail]) {
			_ = s.Replace([]*frail{frailOf("k1", 3), frailOf("new", 2), frailOf("more", 2)}, "2")
		},
		"Apply": func(s *Store[string, *frail]) {
			var b Batch[string, *frail]
			for i := range 30 {
				if i%2 == 0 {
					b.Delete(fmt.Sprint("k", i))
				} else {
					b.Set(frailOf(fmt.Sprint("k", i), i+1))
				}
			}
			b.Set(frailOf("new", 0))
			_ = s.Apply(&b)
		},
		"of a stream": func(s *Store[string, *frail]) {
			var b Batch[string, *frail]
			b.From("x", func(_, _ *frail) bool { leave(); return false })
			b.Replace([]*frail{frailOf("k1", 3), frailOf("k55", 3), frailOf("k99", 2), frailOf("new", 2)})
			_ = s.Apply(&b)
		},
	} {
		for nth, done := 1, false; !done; nth++ {
			s := fedByTwo()
			leaving.left = nth
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				write(s)
				done = true
			}()
			<-ended
			if leaving = (fuse{}); !done {
				goesOn(t, s, fmt.Sprintf("%s, call %d", name, nth))
			} else if nth < 3 {
				t.Errorf("%s: foreign code is called %d times only", name, nth-1)
			}
		}
	}
}

// fedByTwo returns a store of 100 objects: 60 of stream x, 50 of y, 10 of both.
func fedByTwo() *Store[string, *frail] {
	s := New(func(o *frail) string { return o.Key.name })
	AddIndex(s, "Node", func(dst []string, o *frail) []string { leave(); return append(dst, o.Node) })
	AddOrdered(s, "Rank", func(dst []string, o *frail) []string { return append(dst, fmt.Sprint(o.Rank)) }, func(a, b string) int { leave(); return strings.Compare(a, b) })
	for stream, of := range map[string][2]int{"x": {0, 60}, "y": {50, 100}} {
		var b Batch[string, *frail]
		b.From(stream, nil)
		for n := of[0]; n < of[1]; n++ {
			b.Set(frailOf(fmt.Sprint("k", n), n))
		}
		_ = s.Apply(&b)
	}
	return s
}

// goesOn compares a store of fedByTwo with what it had, writes to it, and has the streams
// leave it.
func goesOn(t *testing.T, s *Store[string, *frail], when string) {
	t.Helper()
	sound := func(n int) {
		t.Helper()
		var objs int
		for o := range s.Reader().All() {
			if objs++; o == nil {
				t.Fatalf("%s: nothing where an object was", when)
			}
			if got, _ := s.Reader().Get(o.Key.name); got != o {
				t.Fatalf("%s: %s is not found", when, o.Key.name)
			}
		}
		for _, x := range s.indexers {
			ix := Index[string, *frail, string]{x.(*index[string, *frail, string])}
			under := 0
			for value := range ix.Values(s.Reader()) {
				for o := range ix.Of(s.Reader(), value) {
					if under++; ix.ValuesOf(o)[0] != value {
						t.Fatalf("%s: %s is under %s of %s", when, o.Key.name, value, ix.Name())
					}
				}
			}
			if under != objs {
				t.Fatalf("%s: %d objects in index %s of %d", when, under, ix.Name(), objs)
			}
		}
		if objs != n || s.Reader().Len() != n || s.watch.n.Load() != 0 {
			t.Fatalf("%s: %d objects, want %d", when, objs, n)
		}
	}
	sound(100)
	s.Join("x", "y")
	sound(100)
	for i := range 50 {
		_ = s.Set(frailOf(fmt.Sprint("later", i), i))
	}
	sound(150)
	for _, stream := range []struct {
		name string
		left int
	}{{"x", 100}, {"y", 50}} {
		var b Batch[string, *frail]
		b.From(stream.name, nil)
		b.Leave()
		_ = s.Apply(&b)
		sound(stream.left)
	}
	if n, err := s.IndexErrors(); n > 0 {
		t.Fatalf("%s: reported %d: %v", when, n, err)
	}
}
