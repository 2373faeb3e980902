// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"testing"
	"time"
)

// broken is an index with a bug in the store's own code.
type broken struct{ *index[string, *thing, string] }

func (broken) commit(*version[string, *thing], string, uint32, bool, bool) { panic("a mistake") }

// If a write panics behind the gate, readers do not wait forever.
func TestGateIsOpenedWhateverHappens(t *testing.T) {
	for name, write := range map[string]func(s *Store[string, *thing]){
		"Set": func(s *Store[string, *thing]) { _ = s.Set(&thing{Name: "b"}) },
		"Apply": func(s *Store[string, *thing]) {
			var b Batch[string, *thing]
			b.Set(&thing{Name: "b"})
			_ = s.Apply(&b)
		},
	} {
		s := New(func(o *thing) string { return o.Name })
		ix := AddIndex(s, "Node", func(dst []string, o *thing) []string { return append(dst, o.Node) })
		_ = s.Set(&thing{Name: "a"})
		s.indexers[0] = broken{ix.x}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic: this test is of no use", name)
				}
			}()
			write(s)
		}()
		done := make(chan bool)
		go func() {
			_, ok := s.Reader().Get("a")
			done <- ok
		}()
		select {
		case ok := <-done:
			if !ok {
				t.Errorf("%s: what was there is not", name)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: a reader hangs", name)
		}
	}
}
