// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"k8s.io/klog/v2"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
)

// RealFIFO is a queue.InOrder and its consumer, which takes batches from it and hands out one delta at a
// time. The consumer also takes a batch if a write has to wait or a test looks at what is pending.
type RealFIFO struct {
	logger klog.Logger // not used
	q      *queue.InOrder[string, any]
	deltas
	bookmarks bool

	mu      sync.Mutex
	written bool
	listed  bool     // the first batch has been taken
	taken   []taken  // in order, not handed out yet
	held    consumed // after all of taken
	reached func()   // called when the marker is taken
}

type taken struct {
	delta   Delta
	initial bool
}

// RealFIFOOptions are options of a RealFIFO. A list is always one batch. With AtomicEvents it ends with
// a Bookmark.
type RealFIFOOptions struct {
	KeyFunction  KeyFunc
	KnownObjects KeyListerGetter
	Transformer  TransformFunc
	AtomicEvents bool
}

func NewRealFIFOWithOptions(opts RealFIFOOptions) *RealFIFO {
	if opts.KeyFunction == nil {
		opts.KeyFunction = MetaNamespaceKeyFunc
	}
	if opts.KnownObjects == nil {
		opts.KnownObjects = newKeyed()
	}
	f := NewRealFIFO(opts.KeyFunction, opts.KnownObjects, opts.Transformer)
	f.bookmarks = opts.AtomicEvents
	return f
}

func NewRealFIFO(key KeyFunc, lister KeyListerGetter, transform TransformFunc) *RealFIFO {
	f := &RealFIFO{deltas: deltas{key, transform}, held: consumed{first: known{lister}, since: map[string]delta.Delta[string, any]{}}}
	f.q = queue.NewInOrder(queue.Config[string, any]{KnownObjects: &f.held})
	return f
}

// consumed is what the consumer of a RealFIFO holds: the known objects, and all deltas since.
type consumed struct {
	first known
	since map[string]delta.Delta[string, any] // the last of each object
}

func (c *consumed) Get(key string) (any, bool) {
	if d, ok := c.since[key]; ok {
		return d.Object, d.Type != delta.Deleted
	}
	return c.first.Get(key)
}

func (c *consumed) Keys() iter.Seq[string] {
	return func(yield func(string) bool) {
		for key, d := range c.since {
			if d.Type != delta.Deleted && !yield(key) {
				return
			}
		}
		for key := range c.first.Keys() {
			if _, ok := c.since[key]; !ok && !yield(key) {
				return
			}
		}
	}
}

// marker is the key of a delta that is pushed to find the end of what is pending.
const marker = "\x00"

// take takes one batch.
func (f *RealFIFO) take(ctx context.Context) error {
	return f.q.Pop(ctx, func(b *delta.Batch[string, any]) error {
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, d := range b.Deltas {
			if d.Key == marker {
				f.reached()
				continue
			}
			f.taken = append(f.taken, taken{deltaOf(d), !f.listed && b.Replace})
			f.held.since[d.Key] = d
		}
		if f.bookmarks && b.Replace {
			mark := Delta{Type: Bookmark, Object: BookmarkInfo{ResourceVersion: b.ResourceVersion}}
			f.taken = append(f.taken, taken{mark, !f.listed})
		}
		f.listed = true
		return nil
	})
}

// takeAll takes all that is pending, beside others that do.
func (f *RealFIFO) takeAll() {
	ctx, cancel := context.WithCancel(context.Background())
	f.mu.Lock()
	f.reached = cancel
	f.mu.Unlock()
	if f.write(func(ctx context.Context) error {
		return f.q.Push(ctx, delta.Delta[string, any]{Type: delta.Stale, NoObject: true, Key: marker}, "")
	}) != nil {
		cancel()
	}
	for ctx.Err() == nil {
		_ = f.take(ctx) // it fails when ctx ends
	}
}

// write calls do, and again if there was no room.
func (f *RealFIFO) write(do func(ctx context.Context) error) error {
	noWait, cancel := context.WithCancel(context.Background())
	cancel()
	for {
		err := do(noWait)
		if !errors.Is(err, context.Canceled) {
			return err
		}
		if err := f.take(context.Background()); err != nil {
			return err
		}
	}
}

func (f *RealFIFO) writeObject(t delta.Type, obj any) error {
	d, err := f.deltas.of(t, obj)
	if err != nil {
		return err
	}
	f.begin()
	return f.write(func(ctx context.Context) error { return f.q.Push(ctx, d, "") })
}

func (f *RealFIFO) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.written = true
}

func (f *RealFIFO) Add(obj any) error        { return f.writeObject(delta.Added, obj) }
func (f *RealFIFO) Update(obj any) error     { return f.writeObject(delta.Updated, obj) }
func (f *RealFIFO) Delete(obj any) error     { return f.writeObject(delta.Deleted, obj) }
func (f *RealFIFO) Resync() error            { return f.q.Resync() }
func (f *RealFIFO) Bookmark(rv string) error { return f.q.Bookmark(rv) }
func (f *RealFIFO) Close()                   { f.q.Close() }

func (f *RealFIFO) Replace(objects []any, resourceVersion string) error {
	list, err := f.deltas.list(objects, resourceVersion)
	if err != nil {
		return err
	}
	f.begin()
	return f.write(func(ctx context.Context) error {
		again := list
		again.Deltas = slices.Clone(list.Deltas) // the queue owns them, also if there was no room
		return f.q.Replace(ctx, again)
	})
}

func (f *RealFIFO) HasSynced() bool {
	f.mu.Lock()
	written := f.written
	f.mu.Unlock()
	if !written {
		return false
	}
	f.takeAll()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.q.HasSynced() && (len(f.taken) == 0 || !f.taken[0].initial)
}

func (f *RealFIFO) Pop(process PopProcessFunc) (any, error) {
	for {
		f.mu.Lock()
		if len(f.taken) > 0 {
			next := f.taken[0]
			f.taken = f.taken[1:]
			f.mu.Unlock()
			popped := Deltas{next.delta}
			return popped, process(popped, next.initial)
		}
		f.mu.Unlock()
		if err := f.take(context.Background()); err != nil {
			return nil, closedAs(err)
		}
	}
}

// keyOf returns the key of an object, of a delta, or of an object whose final state is unknown.
func (f *RealFIFO) keyOf(obj any) (string, error) {
	switch obj := obj.(type) {
	case Delta:
		return f.keyOf(obj.Object)
	case DeletedFinalStateUnknown:
		return obj.Key, nil
	}
	return f.deltas.key(obj)
}

// getItems returns the pending deltas.
func (f *RealFIFO) getItems() []Delta {
	f.takeAll()
	f.mu.Lock()
	defer f.mu.Unlock()
	items := make([]Delta, len(f.taken))
	for i, t := range f.taken {
		items[i] = t.delta
	}
	return items
}
