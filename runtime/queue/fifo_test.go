// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package queue_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
)

var errNoKey = errors.New("no key")

func keyOf(t thing) (string, error) {
	if t.key == "" {
		return "", errNoKey
	}
	return t.key, nil
}

// model is a FIFO by definition: a list, and nothing clever.
type model []thing

func (m model) at(key string) int {
	return slices.IndexFunc(m, func(o thing) bool { return o.key == key })
}

func (m *model) set(o thing, overwrite bool) {
	switch i := m.at(o.key); {
	case i < 0:
		*m = append(*m, o)
	case overwrite:
		(*m)[i] = o
	}
}

func (m *model) drop(key string) {
	if i := m.at(key); i >= 0 {
		*m = slices.Delete(*m, i, i+1)
	}
}

func TestFIFOReference(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		q, m := queue.NewFIFO(keyOf), model{}
		for state := range 300 {
			o := thing{fmt.Sprint("k", rnd.IntN(10)), state}
			switch rnd.IntN(8) {
			case 0, 1, 2, 3:
				must(t, q.Add(o))
				m.set(o, true)
			case 4:
				must(t, q.Delete(o))
				m.drop(o.key)
			case 5:
				if rnd.IntN(10) > 0 {
					break
				}
				objs := []thing{}
				listed := map[string]bool{}
				for i := range rnd.IntN(10) {
					objs = append(objs, thing{fmt.Sprint("k", i), state})
					listed[objs[i].key] = true
				}
				must(t, q.Replace(objs))
				for _, o := range slices.Clone(m) {
					if !listed[o.key] {
						m.drop(o.key)
					}
				}
				for _, o := range objs {
					m.set(o, true)
				}
			default:
				if len(m) == 0 {
					break
				}
				want := m[0]
				m = m[1:]
				requeue := rnd.IntN(5) == 0
				must(t, q.Pop(bg, func(got thing) error {
					if got != want {
						t.Fatalf("seed %d: popped %v, want %v", seed, got, want)
					}
					if requeue {
						return queue.ErrRequeue
					}
					return nil
				}))
				if requeue {
					m.set(want, false)
				}
			}
			if q.Len() != len(m) || len(q.Keys()) != len(m) || len(q.List()) != len(m) {
				t.Fatalf("seed %d: %d pending, want %d", seed, q.Len(), len(m))
			}
			got, ok := q.Get(o.key)
			if i := m.at(o.key); ok != (i >= 0) || ok && got != m[i] {
				t.Fatalf("seed %d: %v is pending", seed, got)
			}
		}
	}
}

func TestFIFOSynced(t *testing.T) {
	q := queue.NewFIFO(keyOf)
	must(t, q.Replace([]thing{{"a", 1}, {"b", 1}, {"c", 1}}))
	must(t, q.Add(thing{"later", 1}))
	must(t, q.Delete(thing{"b", 1}))
	pop := func(err error) {
		must(t, q.Pop(bg, func(thing) error {
			if q.HasSynced() {
				t.Error("synced while the first list is being processed")
			}
			return err
		}))
	}
	pop(nil)
	pop(queue.ErrRequeue) // c goes behind later
	pop(nil)
	pop(nil)
	if !q.HasSynced() {
		t.Error("not synced")
	}
	<-q.Synced()

	unlisted := queue.NewFIFO(keyOf)
	must(t, unlisted.Add(thing{"a", 1}))
	if !unlisted.HasSynced() {
		t.Error("waits for a list though writes have begun without")
	}
}

func TestFIFOWaitsAndCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queue.NewFIFO(keyOf)
		got := make(chan error, 3)
		for range 3 {
			go func() { got <- q.Pop(bg, func(thing) error { return nil }) }()
		}
		synctest.Wait()
		must(t, q.Add(thing{"a", 1}))
		must(t, <-got)
		q.Close()
		for range 2 {
			if err := <-got; !errors.Is(err, queue.ErrClosed) {
				t.Errorf("a waiting consumer got %v", err)
			}
		}
		for _, err := range []error{q.Add(thing{"a", 1}), q.Delete(thing{"a", 1}), q.Replace(nil)} {
			if !errors.Is(err, queue.ErrClosed) {
				t.Errorf("a write to a closed queue got %v", err)
			}
		}
	})
}

// An object that is put back after Close is popped again.
func TestFIFORequeuesAfterClose(t *testing.T) {
	q := queue.NewFIFO(keyOf)
	must(t, q.Add(thing{"a", 1}))
	must(t, q.Pop(bg, func(thing) error {
		q.Close()
		return queue.ErrRequeue
	}))
	must(t, q.Pop(bg, func(thing) error { return nil }))
	if err := q.Pop(bg, func(thing) error { return nil }); !errors.Is(err, queue.ErrClosed) {
		t.Errorf("then %v", err)
	}
}

// TestFIFODoesNotGrow: added and deleted objects leave no memory behind.
func TestFIFODoesNotGrow(t *testing.T) {
	q := queue.NewFIFO(keyOf)
	before := heap()
	for i := range 200_000 {
		must(t, q.Add(thing{fmt.Sprint(i), 1}))
		must(t, q.Delete(thing{fmt.Sprint(i), 1}))
	}
	if grown := heap() - before; q.Len() != 0 || grown > 1<<20 {
		t.Errorf("%d pending, grown by %d bytes", q.Len(), grown)
	}
	for i := range 100_000 {
		must(t, q.Add(thing{fmt.Sprint(i), 1}))
	}
	for i := range 100_000 { // and no Add after
		must(t, q.Delete(thing{fmt.Sprint(i), 1}))
	}
	if grown := heap() - before; q.Len() != 0 || grown > 6<<20 { // an emptied map keeps its room
		t.Errorf("%d pending, grown by %d bytes", q.Len(), grown)
	}
	runtime.KeepAlive(q)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
