// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "github.com/indexer-gen/indexer-gen/runtime/delta"

// AddParts declares that the source of the store has parts, such as namespaces; see ApplyPart. They
// are of one server: a resourceVersion means the same in all parts, and is reached when the last of them
// has reached it. AddParts without parts declares that the source has parts, so far none.
//
// Add all parts before the first of them is read. Otherwise a wait could end before it knows of a part that
// is still behind.
func (f *Feeder[K, T]) AddParts(parts ...string) {
	s := f.s
	s.wakeAndReport(s.publish(func(v *version[K, T]) {
		v.positions.Divide()
		for _, part := range parts {
			v.positions.Begin(s.owners.ID(part), part)
		}
	}))
}

// PartVersion returns the resourceVersion of one part that the store reflects, or "" if it is not known.
func (f *Feeder[K, T]) PartVersion(part string) string {
	return f.s.current.Load().positions.ResourceVersion(part)
}

// ApplyPart applies a batch of one part of the source, such as a namespace; see [Feeder.AddParts]. Each part
// has some of the objects. A Replace or Deleted removes only objects that no other part has, and the
// resourceVersion is that of the part.
//
// An object of several parts is stored once. A newer object is not replaced by one with an older
// resourceVersion, unless the batch is Rewound; so a slow part does not undo what a fast one has stored.
func (f *Feeder[K, T]) ApplyPart(part string, b *delta.Batch[K, T]) []Change[T] {
	return f.s.apply(b, &rules[T]{compare: f.compare, older: f.older, hasPart: true, part: part})
}

// EndPart ends a part. Objects that no other part has are deleted, and waits no longer wait for the part.
func (f *Feeder[K, T]) EndPart(part string) []Change[T] {
	return f.s.apply(&delta.Batch[K, T]{Replace: true}, &rules[T]{hasPart: true, part: part, endPart: true})
}

// admit updates which parts have the object of c, and reports whether the write goes ahead: a
// delete does not while another part has the object, nor, unless the batch rewinds, does
// an older state of an object that several parts have.
func (s *Store[K, T]) admit(c *Change[T], slot uint32, isDelete, keeps bool, how *rules[T]) bool {
	switch {
	case c.Type == Added:
		s.owners.Set(slot, how.id)
		return true
	case isDelete:
		return !s.owners.Remove(slot, how.id)
	}
	shared := s.owners.Add(slot, how.id)
	return keeps || !shared || how.rewinds || how.older == nil || !how.older(c.New, c.Old)
}
