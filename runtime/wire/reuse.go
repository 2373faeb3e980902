// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// reuse finds cached objects that are unchanged on the wire. Reading an object's name takes a tenth of
// the time of decoding it, so reuse pauses while it finds nothing.
type reuse[T metav1.Object] struct {
	held        func(types.NamespacedName) (T, bool)
	tries, hits int
	idle        int // how many more objects to let pass
}

const (
	// If fewer than a quarter of sampleObjects are found, reuse skips the next restObjects.
	sampleObjects = 32
	restObjects   = 1024
)

// find returns the cached object that equals the one at the start of data, and the object's length.
func (r *reuse[T]) find(c codec, data []byte) (obj T, n int, ok bool) {
	if r.held == nil {
		return obj, 0, false
	}
	if r.idle > 0 {
		r.idle--
		return obj, 0, false
	}
	obj, n, ok = r.look(c, data)
	r.tries++
	if ok {
		r.hits++
	}
	if r.tries == sampleObjects {
		if r.hits < sampleObjects/4 {
			r.idle = restObjects
		}
		r.tries, r.hits = 0, 0
	}
	return obj, n, ok
}

func (r *reuse[T]) look(c codec, data []byte) (obj T, n int, ok bool) {
	id, ok := c.identify(data)
	if !ok || len(id.ResourceVersion) == 0 {
		return obj, 0, false
	}
	obj, ok = r.held(types.NamespacedName{Namespace: string(id.Namespace), Name: string(id.Name)})
	if !ok || obj.GetResourceVersion() != string(id.ResourceVersion) {
		return obj, 0, false
	}
	n, ok = c.match(data, obj)
	return obj, n, ok
}
