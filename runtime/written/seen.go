// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package written

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// later reports whether version a is known to be later than b. Every version is later than "".
func later(a, b string) bool {
	if b == "" {
		return true
	}
	order, err := resourceversion.Compare(a, b)
	return err == nil && order > 0
}

// seen reports whether the cache contains n. The error says why it never will.
func seen[T metav1.Object](now Reader[T], key types.NamespacedName, n *write) (bool, error) {
	reached, err := now.Reached(n.epoch, n.version)
	return reached && deletionsSeen(now, key, n) && exists(now, key, n), err
}

// exists reports whether the object of a write without a version is in the cache.
func exists[T metav1.Object](now Reader[T], key types.NamespacedName, n *write) bool {
	if !n.mustExist {
		return true
	}
	held, ok := now.Get(key)
	return ok && (n.wrote == "" || n.wrote == held.GetUID())
}

// isDeletion reports whether the last write of n deleted the object.
func (n *write) isDeletion() bool {
	return len(n.deleted) > 0 && (n.wrote == "" || slices.Contains(n.deleted, n.wrote))
}

// deletionsSeen reports whether the cache has seen all deletions of n.
func deletionsSeen[T metav1.Object](now Reader[T], key types.NamespacedName, n *write) bool {
	if len(n.deleted) == 0 {
		return true
	}
	held, ok := now.Get(key)
	return !ok || !slices.Contains(n.deleted, held.GetUID()) || held.GetDeletionTimestamp() != nil
}
