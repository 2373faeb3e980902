// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package shard

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// unsure remembers what was handed on although nobody knows whether it belongs to the
// shard, because it could not be decoded: whoever keeps it must hear of it when it turns
// out not to. It is empty as a rule, and begins anew with each list. The zero value is
// ready for use; it is safe for concurrent use.
type unsure struct {
	mu   sync.Mutex
	keys map[types.NamespacedName]struct{} // nil: none
}

func (u *unsure) note(key types.NamespacedName) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.keys == nil {
		u.keys = make(map[types.NamespacedName]struct{})
	}
	u.keys[key] = struct{}{}
}

// settle forgets a key, and reports whether it was there.
func (u *unsure) settle(key types.NamespacedName) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, was := u.keys[key]
	delete(u.keys, key)
	return was
}

func (u *unsure) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.keys = nil
}
