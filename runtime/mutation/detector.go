// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// maxWatched is the most objects that a detector watches.
const maxWatched = 10_000

// Detect gives a detector to each store that is made from now on, also to those of emitted informers. A store
// panics when it finds a mutation, unless it or its informer has an error handler. Call it in an init function or
// TestMain.
func Detect() { store.DetectAll(newDetector) }

// WithDetector gives a detector to one store.
func WithDetector() store.Option { return store.WithDetector(newDetector) }

// detector keeps the JSON of objects as they were stored.
type detector struct {
	report  func(func() error)
	watched map[any]watched // by key
}

type watched struct {
	obj  any
	json []byte // when the object was stored or last compared
}

func newDetector(report func(func() error)) store.Detector {
	return &detector{report: report, watched: map[any]watched{}}
}

// Drop compares the object of key and stops watching it.
func (d *detector) Drop(key any) {
	if _, known := d.watched[key]; known {
		d.compare(key)
		delete(d.watched, key)
	}
}

// Written watches the first maxWatched of objs, and compares one object.
func (d *detector) Written(objs iter.Seq2[any, any]) {
	n := 0
	for key, obj := range objs {
		d.watch(key, obj)
		if n++; n == maxWatched {
			break
		}
	}
	d.compareAny()
}

// watch watches an object, unless its key is watched. If there are too many, it drops another.
func (d *detector) watch(key, obj any) {
	if _, known := d.watched[key]; known {
		return
	}
	if len(d.watched) == maxWatched {
		delete(d.watched, d.compareAny())
	}
	if text := d.jsonOf(key, obj); text != nil {
		d.watched[key] = watched{obj, text}
	}
}

// compareAny compares one object, whichever, and returns its key.
func (d *detector) compareAny() any {
	for key := range d.watched {
		d.compare(key)
		return key
	}
	return nil
}

// CheckAll compares all objects.
func (d *detector) CheckAll() {
	for key := range d.watched {
		d.compare(key)
	}
}

// jsonOf returns the JSON of an object, or nil if it has none.
func (d *detector) jsonOf(key, obj any) []byte {
	text, err := json.Marshal(obj)
	if err != nil {
		d.report(func() error {
			return fmt.Errorf("mutation detector: %T %v is not watched: %w", obj, key, err)
		})
		return nil
	}
	return text
}

// compare reports an object that has changed, once for each change.
func (d *detector) compare(key any) {
	obj, was := d.watched[key].obj, d.watched[key].json
	is := d.jsonOf(key, obj)
	switch {
	case is == nil:
		delete(d.watched, key)
		return
	case bytes.Equal(was, is):
		return
	}
	d.watched[key] = watched{obj, is}
	path, x, y := firstDifference("", decoded(was), decoded(is))
	d.report(func() error {
		return &store.MutationError{
			Type: fmt.Sprintf("%T", obj), Key: fmt.Sprint(key), Path: path, Was: show(x), Is: show(y),
		}
	})
}
