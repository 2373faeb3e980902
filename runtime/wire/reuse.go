// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// reuse finds the cached objects that the decoder compares with. Reading an object's name takes a tenth
// of the time of decoding it, so reuse pauses while it finds nothing of use.
type reuse[T metav1.Object] struct {
	held func(types.NamespacedName) (T, bool)
	// parts is set if the decoder takes parts of objects that have changed. Otherwise only unchanged
	// objects are of use.
	parts       bool
	tries, hits int
	idle        int // how many more objects to let pass
}

const (
	// If fewer than a quarter of sampleObjects are found, reuse skips the next restObjects.
	sampleObjects = 32
	restObjects   = 1024
)

// find returns the cached object of the key at the start of data.
func (r *reuse[T]) find(c codec, data []byte) (obj T, ok bool) {
	if r.held == nil {
		return obj, false
	}
	if r.idle > 0 {
		r.idle--
		return obj, false
	}
	r.tries++
	if id, known := c.identify(data); known && len(id.ResourceVersion) > 0 {
		obj, ok = r.held(types.NamespacedName{Namespace: string(id.Namespace), Name: string(id.Name)})
		ok = ok && (r.parts || obj.GetResourceVersion() == string(id.ResourceVersion))
	}
	return obj, ok
}

// note records whether the object that find returned last was of use.
func (r *reuse[T]) note(hit bool) {
	if hit {
		r.hits++
	}
	if r.tries == sampleObjects {
		if r.hits < sampleObjects/4 {
			r.idle = restObjects
		}
		r.tries, r.hits = 0, 0
	}
}
