// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"testing"
)

// exiting is an object of which the index function ends its goroutine when it is set to.
type exiting struct {
	name, node string
	exits      bool
}

// await calls f on a goroutine that f may end, and says whether it has.
func await(f func()) (exited bool) {
	over := make(chan struct{})
	exited = true
	go func() {
		defer close(over)
		f()
		exited = false
	}()
	<-over
	return exited
}

// The write in which an index function ends the goroutine is not done, and does not get in
// the way of what is done later, that write included, in whatever write that happens.
func TestIndexFunctionEndsItsGoroutine(t *testing.T) {
	for nth := range 60 {
		left := nth + 1
		var told []error
		s := New(func(o *exiting) string { return o.name }, WithErrorHandler(func(err error) {
			told = append(told, err)
			runtime.Goexit() // which it may
		}))
		node := AddIndex(s, "node", func(dst []string, o *exiting) []string {
			if left--; left == 0 {
				o.exits = true
			}
			if o.exits {
				runtime.Goexit()
			}
			return append(dst, o.node)
		})
		AddIndex(s, "name", func(dst []string, o *exiting) []string { return append(dst, o.name) })
		exits := 0
		write := func(stream string, fill func(b *Batch[string, *exiting])) {
			for range 2 { // the second time it is done
				exited := await(func() {
					var b Batch[string, *exiting]
					b.From(stream, nil)
					fill(&b)
					_ = s.Apply(&b)
				})
				if !exited {
					return
				}
				exits++
			}
			t.Errorf("call %d: the writer's goroutine is ended twice", nth+1)
		}
		want := map[string]string{}
		of := func(n, node int) *exiting {
			o := &exiting{name: fmt.Sprint("o", n), node: fmt.Sprint("n", node)}
			want[o.name] = o.node
			return o
		}
		first, second := []*exiting{of(0, 0), of(1, 1), of(2, 2), of(3, 0)}, []*exiting{of(4, 1), of(5, 2)}
		write("x", func(b *Batch[string, *exiting]) { b.Replace(first) })
		write("y", func(b *Batch[string, *exiting]) { b.Replace(second) })
		for round := range 6 {
			o, p, q := of(round%3, round), of(3, round), of(6+round, 1)
			write("x", func(b *Batch[string, *exiting]) { b.Set(o); b.Delete("o3"); b.Set(p); b.Set(q) })
			o = of(4, round)
			write("y", func(b *Batch[string, *exiting]) { b.Set(o) })
			if round%2 == 0 {
				write("y", func(b *Batch[string, *exiting]) { b.Delete("o4") })
				delete(want, "o4")
			}
			s.Join() // writes too
		}
		if exits > 1 || left < 0 && exits == 0 {
			t.Errorf("call %d: %d writers' goroutines were ended, want one", nth+1, exits)
		}
		got := map[string]string{}
		for o := range s.Reader().All() {
			got[o.name] = o.node
			in := slices.Contains(slices.Collect(node.Of(s.Reader(), o.node)), o)
			if in == o.exits {
				t.Errorf("call %d: %s is under its node: %v", nth+1, o.name, in)
			}
		}
		if !maps.Equal(got, want) || s.Reader().Len() != len(want) {
			t.Errorf("call %d: the store has %v, want %v", nth+1, got, want)
		}
		for value, n := range node.Values(s.Reader()) {
			for o := range node.Of(s.Reader(), value) {
				if n--; o.node != value {
					t.Errorf("call %d: %v is under %s", nth+1, o, value)
				}
			}
			if n != 0 {
				t.Errorf("call %d: %d more are counted under %s", nth+1, n, value)
			}
		}
		for _, err := range told {
			// An object that was stored and indexed before its function began to exit is impure.
			if e := (*IndexError)(nil); !errors.As(err, &e) || e.Index != "node" || !errors.Is(err, ErrExited) && !errors.Is(err, ErrImpure) {
				t.Errorf("call %d: reported %v", nth+1, err)
			}
		}
	}
}

// Of an object whose key function ends the goroutine the next write says so.
func TestKeyFunctionEndsItsGoroutine(t *testing.T) {
	s := New(func(o *exiting) string {
		if o.exits {
			runtime.Goexit()
		}
		return o.name
	})
	var b Batch[string, *exiting]
	b.Set(&exiting{name: "a"})
	b.Set(&exiting{exits: true})
	if !await(func() { _ = s.Apply(&b) }) {
		t.Error("the first write goes on")
	}
	var err error
	if misfit := (*KeyError)(nil); await(func() { err = s.Apply(&b) }) || !errors.As(err, &misfit) || misfit.Position != 1 || !errors.Is(err, ErrExited) {
		t.Errorf("the second returned %v", err)
	}
	if await(func() { err = s.Set(&exiting{name: "a"}) }) || err != nil || s.Reader().Len() != 1 {
		t.Errorf("what has a key is not stored: %v", err)
	}
}
