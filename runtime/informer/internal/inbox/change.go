// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inbox

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Kind says how an object changed.
type Kind uint8

const (
	Added         Kind = iota
	Updated            // from Old to New
	Deleted            // New is the final state
	DeletedUnseen      // New is the last known state
	Released           // like DeletedUnseen; the source was removed and the object may exist
)

// Change is a change of one object, of which each handler is notified once. Old is the state of
// which the handler was last notified.
type Change[T any] struct {
	Old, New T
	Kind     Kind
}

// About returns a state of the object that c is about.
func (c *Change[T]) About() T {
	if c.Kind == Added {
		return c.New
	}
	return c.Old
}

// Another reports whether old and new are two objects of one name, by their UIDs.
func Another[T metav1.Object](old, new T) bool {
	was, is := old.GetUID(), new.GetUID()
	return was != is && was != "" && is != ""
}
