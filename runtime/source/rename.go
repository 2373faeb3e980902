// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"cmp"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"k8s.io/apimachinery/pkg/types"
)

// renamedKeys has the new keys of the objects that a conversion has renamed, by their keys in the source.
type renamedKeys struct {
	mu         sync.Mutex
	keys       map[types.NamespacedName]types.NamespacedName
	beforeList map[types.NamespacedName]types.NamespacedName // neither set nor read since the last list
}

// record records the new key of the object of a delta, which may be its old one.
func (r *renamedKeys) record(t delta.Type, from, to types.NamespacedName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.beforeList, from)
	if delete(r.keys, from); from != to && t != delta.Deleted {
		r.keys[from] = to
	}
}

// keyOf returns the new key of the object of a delta without an object.
func (r *renamedKeys) keyOf(t delta.Type, from types.NamespacedName) types.NamespacedName {
	r.mu.Lock()
	to := cmp.Or(r.keys[from], r.beforeList[from], from)
	r.mu.Unlock()
	if t == delta.Dropped {
		t = delta.Deleted
	}
	r.record(t, from, to)
	return to
}

// endList forgets the objects that a complete list did not have.
func (r *renamedKeys) endList() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys, r.beforeList = map[types.NamespacedName]types.NamespacedName{}, r.keys
}
