// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// front is what a coalescing inbox holds while its handler keeps up: changes of
// different objects, which came at once and are shared with the other handlers. When
// more comes before the handler has been told of all of them, the rest becomes entries.
// So a handler that keeps up costs no entries.
type front[T metav1.Object] struct {
	changes []change[T]
	at      int
	came    int64
}

func (f *front[T]) len() int { return len(f.changes) - f.at }

// next returns the first change and drops it. There must be one.
func (f *front[T]) next() change[T] {
	c := f.changes[f.at]
	if f.at++; f.at == len(f.changes) {
		*f = front[T]{}
	}
	return c
}

// fold turns what is left of the front into entries. The lock must be held.
func (b *coalescing[T]) fold() {
	for i := range b.front.changes[b.front.at:] {
		b.merge(&b.front.changes[b.front.at+i], false, b.front.came)
	}
	b.front = front[T]{}
}
