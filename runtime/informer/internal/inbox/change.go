// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inbox

import (
	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Change is a change of one object, of which each handler is notified once. Old is the state of which the
// handler was last notified; see [store.Change].
type Change[T any] = store.Change[T]

// keyOf returns the key of the object that c is about.
func keyOf[T metav1.Object](c *Change[T]) types.NamespacedName {
	if c.Type == delta.Added {
		return store.KeyOf(c.New)
	}
	return store.KeyOf(c.Old)
}

// isRecreated reports whether old and new are two objects of one name.
func isRecreated[T metav1.Object](old, new T) bool {
	return store.CompareObjects(old, new) == store.Recreated
}
