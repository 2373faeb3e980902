// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/internal/typemeta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// reuse finds objects that a cache holds as they are on the wire. To find one's
// name takes a tenth of what it takes to decode it, so it looks only as long as
// that finds something.
type reuse[T metav1.Object] struct {
	held        func(types.NamespacedName) (T, bool)
	tries, hits int
	idle        int // how many more objects to let pass
}

const (
	// sampleObjects is how many objects make a judgment. If fewer than a quarter
	// of them were held, the next restObjects are not looked at.
	sampleObjects = 32
	restObjects   = 1024
)

// find returns the object that text begins with, if it is held, and the length of
// its text.
func (r *reuse[T]) find(d *decode.Decoder, text []byte) (obj T, n int, ok bool) {
	if r.held == nil {
		return obj, 0, false
	}
	if r.idle > 0 {
		r.idle--
		return obj, 0, false
	}
	obj, n, ok = r.look(d, text)
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

func (r *reuse[T]) look(d *decode.Decoder, text []byte) (obj T, n int, ok bool) {
	id, ok := d.Identify(text)
	if !ok || len(id.ResourceVersion) == 0 {
		return obj, 0, false
	}
	obj, ok = r.held(types.NamespacedName{Namespace: string(id.Namespace), Name: string(id.Name)})
	if !ok || obj.GetResourceVersion() != string(id.ResourceVersion) {
		return obj, 0, false
	}
	n, ok = d.Match(text, obj, typemeta.Clears(obj))
	return obj, n, ok
}
