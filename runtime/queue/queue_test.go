// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package queue_test

import (
	"context"
	"iter"
	"maps"
	"sync"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// thing is an object with a key and a state.
type thing struct {
	key   string
	state int
}

type (
	thingDelta = delta.Delta[string, thing]
	batch      = delta.Batch[string, thing]
)

// testQueue makes the deltas of the things that tests write.
type testQueue struct {
	*queue.DeltaFIFO[string, thing]
}

func (q testQueue) Add(ctx context.Context, obj thing) error { return q.push(ctx, delta.Added, obj) }
func (q testQueue) Update(ctx context.Context, obj thing) error {
	return q.push(ctx, delta.Updated, obj)
}
func (q testQueue) Delete(ctx context.Context, obj thing) error {
	return q.push(ctx, delta.Deleted, obj)
}

func (q testQueue) push(ctx context.Context, t delta.Type, obj thing) error {
	return q.Push(ctx, thingDelta{Type: t, Key: obj.key, Object: obj}, "")
}

// listOf returns the list of these things.
func listOf(things ...thing) (list batch) {
	for _, o := range things {
		list.Deltas = append(list.Deltas, thingDelta{Type: delta.Replaced, Key: o.key, Object: o})
	}
	return list
}

// newQueue returns a queue with a consumer that has these objects, or none if it is nil.
func newQueue(objects queue.KnownObjects[string, thing]) testQueue {
	return testQueue{queue.NewDeltaFIFO(objects)}
}

// known is a consumer's store.
type known struct {
	mu     sync.Mutex
	things map[string]thing
}

func newKnown(things ...thing) *known {
	k := &known{things: make(map[string]thing)}
	for _, t := range things {
		k.things[t.key] = t
	}
	return k
}

func (k *known) Get(key string) (thing, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	t, ok := k.things[key]
	return t, ok
}

func (k *known) Keys() iter.Seq[string] { return maps.Keys(k.copy()) }

func (k *known) copy() map[string]thing {
	k.mu.Lock()
	defer k.mu.Unlock()
	return maps.Clone(k.things)
}

// apply does what a consumer does, and complains about deltas that make no sense.
func (k *known) apply(t *testing.T, b *batch) {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, d := range b.Deltas {
		old, had := k.things[d.Key]
		switch d.Type {
		case delta.Deleted:
			if d.FinalStateUnknown && !had {
				t.Errorf("%s is said to have vanished but was not known", d.Key)
			}
			if d.FinalStateUnknown && d.Object != old {
				t.Errorf("the tombstone of %s holds %v, last known was %v", d.Key, d.Object, old)
			}
			delete(k.things, d.Key)
		case delta.Sync:
			if !had {
				t.Errorf("a Sync for %s, which is not known", d.Key)
			}
			if d.Object != old {
				t.Errorf("the Sync of %s has %v, last known was %v", d.Key, d.Object, old)
			}
		case delta.Stale:
		default:
			k.things[d.Key] = d.Object
		}
	}
}

// popAll pops until nothing is pending and returns copies of the batches.
func popAll(t *testing.T, q testQueue, process func(*batch)) []batch {
	t.Helper()
	var out []batch
	for q.Len() > 0 {
		must(t, q.Pop(bg, func(b *batch) error {
			c := *b
			c.Deltas = append([]thingDelta(nil), b.Deltas...)
			out = append(out, c)
			if process != nil {
				process(b)
			}
			return nil
		}))
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
