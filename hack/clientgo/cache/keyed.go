// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// keyedIndexer is an Indexer with a key function.
type keyedIndexer struct {
	*keyed
	key       KeyFunc
	transform TransformFunc // may be nil
}

func (s keyedIndexer) keyOf(obj any) (string, error) {
	key, err := s.key(obj)
	if err != nil {
		return "", KeyError{Obj: obj, Err: err}
	}
	return key, nil
}

func (s keyedIndexer) entryOf(obj any) (e entry, err error) {
	if s.transform != nil {
		if obj, err = s.transform(obj); err != nil {
			return e, err
		}
	}
	key, err := s.keyOf(obj)
	return entry{key, obj}, err
}

func (s keyedIndexer) Add(obj any) error {
	e, err := s.entryOf(obj)
	if err != nil {
		return err
	}
	return s.s.Set(e)
}

func (s keyedIndexer) Update(obj any) error { return s.Add(obj) }

func (s keyedIndexer) Delete(obj any) error {
	key, err := s.keyOf(obj)
	if err == nil {
		s.s.Delete(key)
	}
	return err
}

func (s keyedIndexer) Get(obj any) (item any, exists bool, err error) {
	key, err := s.keyOf(obj)
	if err != nil {
		return nil, false, err
	}
	return s.GetByKey(key)
}

func (s keyedIndexer) Replace(list []any, resourceVersion string) error {
	objects := make([]entry, len(list))
	for i, obj := range list {
		var err error
		if objects[i], err = s.entryOf(obj); err != nil {
			return err
		}
	}
	return s.s.Replace(objects, resourceVersion)
}

func (s keyedIndexer) AddIndexers(indexers Indexers) error {
	s.addIndexers(indexers)
	return nil
}

func (s keyedIndexer) Index(name string, obj any) ([]any, error) {
	index, err := s.index(name)
	if err != nil {
		return nil, err
	}
	values, err := s.GetIndexers()[name](obj)
	if err != nil {
		return nil, err
	}
	out := []any{}
	for e := range index.In(values...).Get(s.Reader) {
		out = append(out, e.obj)
	}
	return out, nil
}

// threadSafeMap is a store of objects whose keys the caller passes. Each write moves it to the
// resourceVersion of its object, as the batch of an informer does.
type threadSafeMap struct{ *keyed }

func NewThreadSafeStore(indexers Indexers, _ Indices) any {
	s := newKeyed()
	s.addIndexers(indexers)
	return &threadSafeMap{s}
}

func (s *threadSafeMap) Add(key string, obj any) { s.apply(entry{key, obj}) }

func (s *threadSafeMap) Update(key string, obj any) { s.apply(entry{key, obj}) }

func (s *threadSafeMap) apply(entries ...entry) {
	var b store.Batch[string, entry]
	for _, e := range entries {
		b.Set(e)
		if rv := resourceVersionOf(e.obj); rv != "" {
			b.ResourceVersion(rv)
		}
	}
	_, _ = s.s.Apply(&b)
}

func (s *threadSafeMap) Delete(key string) { s.s.Delete(key) }

func (s *threadSafeMap) DeleteWithObject(key string, obj any) {
	var b store.Batch[string, entry]
	b.Delete(key)
	b.ResourceVersion(resourceVersionOf(obj))
	_, _ = s.s.Apply(&b)
}

// Transaction applies a batch of updates.
func (s *threadSafeMap) Transaction(txns ...ThreadSafeStoreTransaction) {
	var entries []entry
	for _, txn := range txns {
		entries = append(entries, entry{txn.Key, txn.Object})
	}
	s.apply(entries...)
}

// indexed returns the keys of the objects that have the index value, and whether there are any.
func (s *threadSafeMap) indexed(index, value string) (keys sets.Set[string], present bool) {
	list, _ := s.IndexKeys(index, value)
	return sets.New(list...), slices.Contains(s.ListIndexFuncValues(index), value)
}

func (s *threadSafeMap) Replace(objects map[string]any, resourceVersion string) {
	_ = s.replace(objects, resourceVersion)
}
