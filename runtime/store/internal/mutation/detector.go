// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package mutation finds objects that are changed while they are in a store.
package mutation

import (
	"bytes"
	"encoding/json"
)

// MaxWatched is the most objects that a detector watches.
const MaxWatched = 10_000

// Detector keeps the JSON of objects as they were stored. The caller serializes all calls.
type Detector[K comparable, T any] struct {
	// Report is called for each change of an object, with the JSON path of the first field that
	// differs, and its JSON when the object was stored and now.
	Report func(key K, obj T, path, was, is string)
	// Refuse is called for an object that encoding/json refuses. It is not watched.
	Refuse func(key K, obj T, err error)

	watched map[K]watched[T]
}

type watched[T any] struct {
	obj  T
	json []byte // when the object was stored or last compared
}

// Drop compares the object of key and stops watching it.
func (d *Detector[K, T]) Drop(key K) {
	if _, known := d.watched[key]; known {
		d.compare(key)
		delete(d.watched, key)
	}
}

// Watch watches an object, unless its key is watched. If there are too many, it drops another.
func (d *Detector[K, T]) Watch(key K, obj T) {
	if _, known := d.watched[key]; known {
		return
	}
	if len(d.watched) == MaxWatched {
		delete(d.watched, d.CompareAny())
	}
	if text := d.jsonOf(key, obj); text != nil {
		if d.watched == nil {
			d.watched = map[K]watched[T]{}
		}
		d.watched[key] = watched[T]{obj, text}
	}
}

// CompareAny compares one object, whichever, and returns its key.
func (d *Detector[K, T]) CompareAny() (key K) {
	for key = range d.watched {
		d.compare(key)
		break
	}
	return key
}

// CompareAll compares all objects.
func (d *Detector[K, T]) CompareAll() {
	for key := range d.watched {
		d.compare(key)
	}
}

// jsonOf returns the JSON of an object, or nil if it has none.
func (d *Detector[K, T]) jsonOf(key K, obj T) []byte {
	text, err := json.Marshal(obj)
	if err != nil {
		d.Refuse(key, obj, err)
		return nil
	}
	return text
}

// compare reports an object that has changed, once for each change.
func (d *Detector[K, T]) compare(key K) {
	obj, was := d.watched[key].obj, d.watched[key].json
	is := d.jsonOf(key, obj)
	switch {
	case is == nil:
		delete(d.watched, key)
		return
	case bytes.Equal(was, is):
		return
	}
	d.watched[key] = watched[T]{obj, is}
	path, x, y := firstDifference("", decoded(was), decoded(is))
	d.Report(key, obj, path, show(x), show(y))
}
