// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// Of many streams a live read asks outside the gate, of a version that is then frozen; of
// few it freezes nothing.
func TestManyStreamsAreLookedAtOutsideTheGate(t *testing.T) {
	for _, n := range []int{fewStreams, fewStreams + 1} {
		s := New(func(o *thing) string { return o.Name })
		var names []string
		for i := range n {
			names = append(names, fmt.Sprint("s", i))
		}
		NewFeeder(s, nil).Join(names...)
		for i, name := range names {
			var b Batch[string, *thing]
			b.From(name, nil)
			b.ResourceVersion(fmt.Sprint(100 + i))
			if err := s.Apply(&b); err != nil {
				t.Fatal(err)
			}
		}
		for name, read := range map[string]func(r Reader[string, *thing]) bool{
			"ResourceVersion":   func(r Reader[string, *thing]) bool { return r.ResourceVersion() == "100" },
			"ResourceVersionOf": func(r Reader[string, *thing]) bool { return r.ResourceVersionOf("s7") == "107" },
			"Mark":              func(r Reader[string, *thing]) bool { return r.Mark() == Mark{} },
			"Reached": func(r Reader[string, *thing]) bool {
				reached, err := r.Reached(r.Mark(), "100")
				return reached && err == nil
			},
		} {
			s.finish(s.apply(&Batch[string, *thing]{}, nil)) // what was frozen is left behind
			if ok := read(s.Reader()); !ok {
				t.Errorf("%s of %d streams is wrong", name, n)
			}
			if frozen := s.shared.Load(); frozen != (n > fewStreams) {
				t.Errorf("%s of %d streams: the version is frozen: %v", name, n, frozen)
			}
			opened := make(chan struct{})
			go func() {
				s.publish.Lock()
				s.publish.Unlock()
				close(opened)
			}()
			select {
			case <-opened:
			case <-time.After(time.Minute):
				t.Fatalf("%s of %d streams has left the gate closed", name, n)
			}
		}
	}
}

// Which streams may have an object in common is kept for the objects that there are, not
// for all that there have been.
func TestSetsOfStreamsAreForgotten(t *testing.T) {
	s := New(func(o *thing) string { return o.Name })
	rng := rand.New(rand.NewPCG(1, 1))
	const names = 3
	for range 5000 {
		var b Batch[string, *thing]
		b.From(fmt.Sprint("s", rng.IntN(16)), nil)
		if name := fmt.Sprint(rng.IntN(names)); rng.IntN(2) == 0 {
			b.Set(&thing{Name: name})
		} else {
			b.Delete(name)
		}
		if err := s.Apply(&b); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.streams.Shared(); n > names {
		t.Errorf("%d of %d objects have several owners", n, names)
	}
	for i := range 16 {
		var b Batch[string, *thing]
		b.From(fmt.Sprint("s", i), nil)
		b.Leave()
		if err := s.Apply(&b); err != nil {
			t.Fatal(err)
		}
	}
	if s.Reader().Len() != 0 || s.streams.Shared() != 0 {
		t.Errorf("%d objects and %d shared slots are left of streams that have left", s.Reader().Len(), s.streams.Shared())
	}
}
