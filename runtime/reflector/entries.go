// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"iter"

	"k8s.io/apimachinery/pkg/types"
)

// entry is one object of a list or watch.
type entry[T any] struct {
	key    types.NamespacedName
	obj    T
	usable bool // obj is set; if not, the object could not be decoded, or is kept
	kept   bool // the cached state stays; see source.ErrKeep
	stale  bool // a later state than obj could not be decoded
	gone   bool
}

// entries is a list that grows without copies, so that a sync does not need twice its memory.
type entries[T any] struct {
	chunks [][]entry[T]
	len    int
}

const chunkEntries = 64

func (l *entries[T]) add(e entry[T]) {
	if l.len%chunkEntries == 0 {
		l.chunks = append(l.chunks, make([]entry[T], 0, chunkEntries))
	}
	last := &l.chunks[len(l.chunks)-1]
	*last = append(*last, e)
	l.len++
}

func (l *entries[T]) at(i int) *entry[T] { return &l.chunks[i/chunkEntries][i%chunkEntries] }

func (l *entries[T]) all() iter.Seq[*entry[T]] {
	return func(yield func(*entry[T]) bool) {
		for i := range l.len {
			if !yield(l.at(i)) {
				return
			}
		}
	}
}
