// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

// Misfits returns everything because of which [Store.Apply] would fail with b, in the order of
// the positions; nothing if it would not. It changes nothing, and asks for the key of every
// object of b.
func (s *Store[K, T]) Misfits(b *Batch[K, T]) []*KeyError {
	var misfits []*KeyError
	note := func(position int, err error) {
		if err != nil {
			misfits = append(misfits, &KeyError{Position: position, Err: err})
		}
	}
	for i := range b.objs {
		_, _, err := s.key(b.objs[i])
		note(i, err)
	}
	for i := range b.ops {
		var err error
		if o := &b.ops[i]; o.kind == opSet {
			_, _, err = s.key(o.obj)
		} else {
			_, err = s.hashed(o.key)
		}
		note(len(b.objs)+i, err)
	}
	return misfits
}
