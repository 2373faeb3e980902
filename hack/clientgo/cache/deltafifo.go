// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"context"
	"fmt"

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
	q *queue.DeltaFIFO[string, any]
	deltas
	emitDeltaTypeReplaced bool
}

func NewDeltaFIFOWithOptions(opts DeltaFIFOOptions) *DeltaFIFO {
	if opts.KeyFunction == nil {
		opts.KeyFunction = MetaNamespaceKeyFunc
	}
	var objects queue.KnownObjects[string, any]
	if opts.KnownObjects != nil {
		objects = known{opts.KnownObjects}
	}
	return &DeltaFIFO{
		queue.NewDeltaFIFO(objects), deltas{opts.KeyFunction, opts.Transformer}, opts.EmitDeltaTypeReplaced,
	}
}

// deltas makes the deltas of objects.
type deltas struct {
	key       KeyFunc
	transform TransformFunc // may be nil
}

func (m deltas) of(t delta.Type, obj any) (d delta.Delta[string, any], err error) {
	d = delta.Delta[string, any]{Type: t, Object: obj}
	if d.Key, err = m.key(obj); err != nil {
		return d, fmt.Errorf("no key for a %T: %w", obj, err)
	}
	if m.transform != nil {
		d.Object, err = m.transform(obj)
	}
	return d, err
}

// list returns the deltas of a list.
func (m deltas) list(objects []any, resourceVersion string) (list delta.Batch[string, any], err error) {
	list.ResourceVersion = resourceVersion
	for _, obj := range objects {
		d, err := m.of(delta.Replaced, obj)
		if err != nil {
			return list, err
		}
		list.Deltas = append(list.Deltas, d)
	}
	return list, nil
}

func (f *DeltaFIFO) Add(obj any) error        { return f.push(delta.Added, obj) }
func (f *DeltaFIFO) Update(obj any) error     { return f.push(delta.Updated, obj) }
func (f *DeltaFIFO) Delete(obj any) error     { return f.push(delta.Deleted, obj) }
func (f *DeltaFIFO) Resync() error            { return f.q.Resync() }
func (f *DeltaFIFO) Bookmark(rv string) error { return f.q.Bookmark(rv) }
func (f *DeltaFIFO) HasSynced() bool          { return f.q.HasSynced() }
func (f *DeltaFIFO) Close()                   { f.q.Close() }

func (f *DeltaFIFO) Replace(list []any, resourceVersion string) error {
	deltas, err := f.deltas.list(list, resourceVersion)
	if err != nil {
		return err
	}
	return f.q.Replace(context.Background(), deltas)
}

func (f *DeltaFIFO) push(t delta.Type, obj any) error {
	d, err := f.deltas.of(t, obj)
	if err != nil {
		return err
	}
	return f.q.Push(context.Background(), d, "")
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
	key, err := f.deltas.key(obj)
	if err != nil {
		return nil, false, err
	}
	item, exists = f.items()[key]
	return item, exists, nil
}
