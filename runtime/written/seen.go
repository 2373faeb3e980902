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
	reached, err := now.Reached(n.mark, n.version)
	return reached && isGone(now, key, n) && isThere(now, key, n), err
}

// isThere reports whether the object of a write without a version is in the cache.
func isThere[T metav1.Object](now Reader[T], key types.NamespacedName, n *write) bool {
	if !n.there {
		return true
	}
	held, ok := now.Get(key)
	return ok && (n.wrote == "" || n.wrote == held.GetUID())
}

// isGone reports whether the cache has seen all deletions of n.
func isGone[T metav1.Object](now Reader[T], key types.NamespacedName, n *write) bool {
	if len(n.gone) == 0 {
		return true
	}
	held, ok := now.Get(key)
	return !ok || !slices.Contains(n.gone, held.GetUID()) || held.GetDeletionTimestamp() != nil
}
