// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"context"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
)

type DeltaFIFOOptions struct {
	KeyFunction           KeyFunc
	KnownObjects          KeyListerGetter
	EmitDeltaTypeReplaced bool
	Transformer           TransformFunc
}

// DeltaFIFO is a queue.DeltaFIFO. That always emits Replaced; without emitDeltaTypeReplaced, Pop says Sync
// instead, as in client-go.
type DeltaFIFO struct {
	q                     *queue.DeltaFIFO[string, any]
	key                   KeyFunc
	emitDeltaTypeReplaced bool
}

func NewDeltaFIFOWithOptions(opts DeltaFIFOOptions) *DeltaFIFO {
	if opts.KeyFunction == nil {
		opts.KeyFunction = MetaNamespaceKeyFunc
	}
	c := queue.Config[string, any]{Key: opts.KeyFunction, Transform: opts.Transformer}
	if opts.KnownObjects != nil {
		c.KnownObjects = known{opts.KnownObjects}
	}
	return &DeltaFIFO{queue.NewDeltaFIFO(c), opts.KeyFunction, opts.EmitDeltaTypeReplaced}
}

func (f *DeltaFIFO) Add(obj any) error        { return f.q.Add(context.Background(), obj) }
func (f *DeltaFIFO) Update(obj any) error     { return f.q.Update(context.Background(), obj) }
func (f *DeltaFIFO) Delete(obj any) error     { return f.q.Delete(context.Background(), obj) }
func (f *DeltaFIFO) Resync() error            { return f.q.Resync() }
func (f *DeltaFIFO) Bookmark(rv string) error { return f.q.Bookmark(rv) }
func (f *DeltaFIFO) HasSynced() bool          { return f.q.HasSynced() }
func (f *DeltaFIFO) Close()                   { f.q.Close() }

func (f *DeltaFIFO) Replace(list []any, resourceVersion string) error {
	return f.q.Replace(context.Background(),
		queue.Replacement[string, any]{Objects: list, ResourceVersion: resourceVersion})
}

func (f *DeltaFIFO) Pop(process PopProcessFunc) (any, error) {
	var popped any
	err := f.q.Pop(context.Background(), func(b *delta.Batch[string, any]) error {
		popped = f.deltasOf(b)
		return process(popped, !f.q.HasSynced())
	})
	return popped, closedAs(err)
}

func (f *DeltaFIFO) deltasOf(b *delta.Batch[string, any]) (ds Deltas) {
	for _, d := range b.Deltas {
		delta := deltaOf(d)
		if delta.Type == Replaced && !f.emitDeltaTypeReplaced {
			delta.Type = Sync
		}
		ds = append(ds, delta)
	}
	return ds
}

// each calls f with all pending deltas of each object. It pops each object and puts it back.
func (f *DeltaFIFO) each(do func(key string, ds Deltas)) {
	for range f.q.Len() {
		_ = f.q.Pop(context.Background(), func(b *delta.Batch[string, any]) error {
			do(b.Deltas[0].Key, f.deltasOf(b))
			return queue.ErrRequeue
		})
	}
}

func (f *DeltaFIFO) items() map[string]Deltas {
	items := make(map[string]Deltas)
	f.each(func(key string, ds Deltas) { items[key] = ds })
	return items
}

func (f *DeltaFIFO) list() (list []any) {
	f.each(func(_ string, ds Deltas) { list = append(list, ds.Newest().Object) })
	return list
}

func (f *DeltaFIFO) listKeys() (keys []string) {
	f.each(func(key string, _ Deltas) { keys = append(keys, key) })
	return keys
}

func (f *DeltaFIFO) get(obj any) (item any, exists bool, err error) {
	key, err := f.key(obj)
	if err != nil {
		return nil, false, err
	}
	item, exists = f.items()[key]
	return item, exists, nil
}
