// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"cmp"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// renamedKeys has the new keys of the objects that a transform has renamed, by their keys in the source. The key of the
// last result of a transform is that of all deltas of the object, as it is in client-go.
type renamedKeys[T any] struct {
	mu         sync.Mutex
	keys       map[types.NamespacedName]types.NamespacedName
	beforeList map[types.NamespacedName]types.NamespacedName // neither set nor read since the last list
}

// keyOf returns the new key of the object of a delta, which is under from in the source, and records it until the object
// has gone, or a complete list did not have it.
func (r *renamedKeys[T]) keyOf(from types.NamespacedName, d source.Delta[T]) types.NamespacedName {
	r.mu.Lock()
	defer r.mu.Unlock()
	if d.Type == delta.InitialEnd {
		r.keys, r.beforeList = map[types.NamespacedName]types.NamespacedName{}, r.keys
		return from
	}
	to := d.Key
	if d.NoObject {
		to = cmp.Or(r.keys[from], r.beforeList[from], from)
	}
	delete(r.beforeList, from)
	delete(r.keys, from)
	if from != to && d.Type != delta.Deleted && d.Type != delta.Dropped {
		r.keys[from] = to
	}
	return to
}
