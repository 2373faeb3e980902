// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// reuse finds the cached objects that the decoder compares with.
type reuse[T metav1.Object] struct {
	held func(types.NamespacedName) (T, bool)
	// parts is set if the decoder takes parts of objects that have changed. Otherwise only unchanged
	// objects are of use.
	parts   bool
	sampler intern.Sampler
}

// find returns the cached object of the key at the start of data.
func (r *reuse[T]) find(c codec, data []byte) (obj T, ok bool) {
	if r.held == nil || !r.sampler.Worth() {
		return obj, false
	}
	if id, known := c.Identify(data); known && len(id.ResourceVersion) > 0 {
		if key, known := id.Key(); known {
			obj, ok = r.held(key)
		}
		ok = ok && (r.parts || obj.GetResourceVersion() == string(id.ResourceVersion))
	}
	r.sampler.Note(ok)
	return obj, ok
}
