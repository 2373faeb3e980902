// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"context"
	"errors"
	"iter"

	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
)

type PopProcessFunc = func(obj any, isInInitialList bool) error

// Queue is what the tests use of client-go's Queue.
type Queue interface {
	Add(obj any) error
	Update(obj any) error
	Delete(obj any) error
	Replace(list []any, resourceVersion string) error
	Resync() error
	Pop(process PopProcessFunc) (any, error)
	HasSynced() bool
	Close()
}

// known is a KeyListerGetter as queue.KnownObjects.
type known struct{ KeyListerGetter }

func (k known) Get(key string) (any, bool) {
	obj, ok, err := k.GetByKey(key)
	return obj, ok && err == nil
}

func (k known) Keys() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, key := range k.ListKeys() {
			if !yield(key) {
				return
			}
		}
	}
}

// FIFO is a queue.FIFO.
type FIFO struct {
	q   *queue.FIFO[string, any]
	key KeyFunc
}

func NewFIFO(key KeyFunc) *FIFO { return &FIFO{queue.NewFIFO(key), key} }

func (f *FIFO) Add(obj any) error                    { return f.q.Add(obj) }
func (f *FIFO) Update(obj any) error                 { return f.q.Add(obj) }
func (f *FIFO) Delete(obj any) error                 { return f.q.Delete(obj) }
func (f *FIFO) Replace(list []any, _ string) error   { return f.q.Replace(list) }
func (f *FIFO) Resync() error                        { return nil }
func (f *FIFO) Bookmark(string)                      {}
func (f *FIFO) LastStoreSyncResourceVersion() string { return "" }
func (f *FIFO) HasSynced() bool                      { return f.q.HasSynced() }
func (f *FIFO) Close()                               { f.q.Close() }
func (f *FIFO) List() []any                          { return f.q.List() }
func (f *FIFO) ListKeys() []string                   { return f.q.Keys() }

func (f *FIFO) Pop(process PopProcessFunc) (popped any, err error) {
	err = f.q.Pop(context.Background(), func(obj any) error {
		popped = obj
		return process(obj, !f.q.HasSynced())
	})
	return popped, closedAs(err)
}

// closedAs returns client-go's error for a closed queue.
func closedAs(err error) error {
	if errors.Is(err, queue.ErrClosed) {
		return cache.ErrFIFOClosed
	}
	return err
}

func (f *FIFO) Get(obj any) (item any, exists bool, err error) {
	key, err := f.key(obj)
	if err != nil {
		return nil, false, err
	}
	return f.GetByKey(key)
}

func (f *FIFO) GetByKey(key string) (item any, exists bool, err error) {
	item, exists = f.q.Get(key)
	return item, exists, nil
}
