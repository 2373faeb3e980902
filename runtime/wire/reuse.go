// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"k8s.io/apimachinery/pkg/types"
)

// reuse finds objects that a cache has as they are on the wire. To look what an
// object is takes a sixth of what it takes to decode it, so it looks only as
// long as it finds something.
type reuse[T any] struct {
	known       source.Known[T]
	tries, hits int
	idle        int // how many more objects to let pass
}

const (
	// sampleObjects is how many objects make a judgment. If fewer than a quarter
	// of them were known, the next restObjects are not looked at.
	sampleObjects = 32
	restObjects   = 1024
)

// find returns the object that text begins with, if it is known, and the length
// of its text.
func (r *reuse[T]) find(d *decode.Decoder, text []byte) (obj T, n int, ok bool) {
	if r.known == nil {
		return obj, 0, false
	}
	if r.idle > 0 {
		r.idle--
		return obj, 0, false
	}
	id, n, err := d.Identify(text)
	if err != nil {
		return obj, 0, false
	}
	if len(id.Name) > 0 && len(id.UID) > 0 && len(id.ResourceVersion) > 0 {
		key := types.NamespacedName{Namespace: string(id.Namespace), Name: string(id.Name)}
		obj, ok = r.known(key, types.UID(id.UID), string(id.ResourceVersion))
	}
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
