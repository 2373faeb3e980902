// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inbox

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// fastpath holds the changes of a Coalescing whose handler keeps up: they are of different
// objects, came at once, and are shared by all inboxes. If more changes come before all of them
// are delivered, the rest becomes entries. So a handler that keeps up costs no entries.
type fastpath[T metav1.Object] struct {
	changes []Change[T]
	at      int
	came    int64
}

func (f *fastpath[T]) len() int { return len(f.changes) - f.at }

// next removes and returns the first change. There must be one.
func (f *fastpath[T]) next() Change[T] {
	c := f.changes[f.at]
	if f.at++; f.at == len(f.changes) {
		*f = fastpath[T]{}
	}
	return c
}

// fold moves the changes of the fastpath to entries. It requires the lock.
func (b *Coalescing[T]) fold() {
	for i := range b.fast.changes[b.fast.at:] {
		b.merge(&b.fast.changes[b.fast.at+i], false, b.fast.came)
	}
	b.fast = fastpath[T]{}
}
