// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Feeder writes the batches of a source, and has the methods that an informer needs and other users of a
// store do not. All methods are safe for concurrent use.
type Feeder[K comparable, T any] struct {
	store     *Store[K, T]
	baseRules batchRules[T]
}

// NewFeeder returns the feeder of s. From now on batches set the resourceVersion of s, and Store.Set does not.
//
// The feeder compares each object with the one that s has under its key. If their UIDs differ, the old object was
// deleted, and the new one was created. If they are equal, and have a resourceVersion, there is no change: s keeps the
// old one, and does not call index functions. The same resourceVersion is not enough, since a server that was restored
// from a backup assigns it twice.
//
// explain wraps the error of a wait whose context ends, to add why the store is behind. The
// waiting goroutine calls it, under no lock. If explain is nil, waits return the cause of their
// context. A later feeder replaces it.
func NewFeeder[T metav1.Object](
	s *Store[types.NamespacedName, T], explain func(why error) error,
) *Feeder[types.NamespacedName, T] {
	if explain == nil {
		explain = func(why error) error { return why }
	}
	s.feederExplain.Store(&explain)
	return &Feeder[types.NamespacedName, T]{s, batchRules[T]{deepCompare: deepCompareObjects[T], isOlderForSharedObject: isOlder[T]}}
}

// AddParts declares that the source of the store has parts, such as namespaces; see Part. They
// are of one server: a resourceVersion means the same in all parts, and is reached when the last of them
// has reached it. AddParts without parts declares that the source has parts, so far none.
//
// Add all parts before the first of them is read. Otherwise a wait could end before it knows of a part that
// is still behind.
func (f *Feeder[K, T]) AddParts(parts ...string) {
	s := f.store
	s.wakeAndReport(s.publish(func(v *version[K, T]) {
		v.positions.Divide()
		for _, part := range parts {
			v.positions.Begin(s.holders.ID(part), part)
		}
	}))
}

// Part returns the feeder of a part of the source, such as a namespace.
func (f *Feeder[K, T]) Part(name string) *Feeder[K, T] {
	part := *f
	part.baseRules.hasPart, part.baseRules.partName = true, name
	return &part
}

// ResourceVersion returns the resourceVersion that the store reflects of the source, or of the part if f is that of a
// part. It is "" if it is not known.
func (f *Feeder[K, T]) ResourceVersion() string {
	if f.baseRules.hasPart {
		return f.store.current.Load().positions.ResourceVersion(f.baseRules.partName)
	}
	return f.store.Reader().ResourceVersion()
}

// End ends the part of f. Objects that no other part has are deleted, and waits no longer wait for the part.
func (f *Feeder[K, T]) End() []Change[T] {
	rules := f.baseRules
	rules.endsPart = true
	return f.store.applyBatch(&delta.Batch[K, T]{Replace: true}, &rules)
}

// updateHolders updates which parts have the object of c, and reports whether the write goes ahead: a
// delete does not while another part has the object, nor, unless the batch rewinds, does
// an older state of an object that several parts have.
func (s *Store[K, T]) updateHolders(effect deltaEffect, c *Change[T], slot uint32, rules *batchRules[T]) bool {
	switch effect {
	case adds:
		s.holders.Set(slot, rules.partID)
		return true
	case deletes:
		return !s.holders.Remove(slot, rules.partID)
	}
	shared := s.holders.Add(slot, rules.partID)
	return effect == marks || !shared || rules.acceptsOlderObjects || rules.isOlderForSharedObject == nil || !rules.isOlderForSharedObject(c.New, c.Old)
}

// Halt declares that the store is no longer fed. Waits that are not satisfied return why, both
// the current ones and later ones. The store can still be read and written. Halt(nil) ends
// this state.
func (f *Feeder[K, T]) Halt(why error) {
	if why == nil {
		f.store.haltedWaitError.Store(nil)
		return
	}
	f.store.haltedWaitError.Store(&why)
	f.store.waits.FireAll()
}

// AddErrorHandler is WithErrorHandler for an existing store. It calls handle with each
// *IndexError and *MutationError until remove is called. handle reports whether it handled the error. With
// mutation.Detect, a *MutationError that no handler handled panics.
func (f *Feeder[K, T]) AddErrorHandler(handle func(error) (handled bool)) (remove func()) {
	return f.store.errorHandlers.addHandler(handle)
}

// isRecreated reports whether two objects of a key have UIDs, and different ones.
func isRecreated[T metav1.Object](old, new T) bool {
	a, b := old.GetUID(), new.GetUID()
	return a != b && a != "" && b != ""
}

// isOlder reports whether a is known to be an earlier state than b.
func isOlder[T metav1.Object](a, b T) bool {
	return resourceversion.Older(a.GetResourceVersion(), b.GetResourceVersion())
}
