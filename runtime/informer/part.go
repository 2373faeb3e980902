// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// partState says what the store has of a part. A part has synced unless it is unread.
type partState uint8

const (
	partUnread  partState = iota // no list, or one of an earlier run in which the type was absent last
	partAbsent                   // no objects, since the type is absent
	partPresent                  // the objects of a list of the server
)

// part is a part of the source, such as a namespace, or all of it. It has its own sync and errors. It begins when
// the source has it (reconcileParts) and ends when the source no longer has it (removeParts); between runs it stays.
type part[T metav1.Object] struct {
	informer          *Informer[T]
	name              string // "" if it is all of the source
	log               *health.Log
	src               source.Source[T]
	feeder            *store.Feeder[types.NamespacedName, T] // of the part; if it is all of the source, that of the informer
	probeServedSignal ctxsync.Signal                         // of Wake

	// Guarded by informer.mu.
	lastError error
	state     partState
	feed      *feed[T] // nil if the part is not read
}

// newPart returns a part of the source or, without a name, all of it.
func newPart[T metav1.Object](
	i *Informer[T], name string, src source.Source[T], feeder *store.Feeder[types.NamespacedName, T],
) *part[T] {
	return &part[T]{
		informer: i, name: name, log: i.log.Of(name), src: src, feeder: feeder, probeServedSignal: ctxsync.NewSignal(),
	}
}

// resetPartsForRun begins the sync of a run: Synced waits for the parts that the informer has now. A part whose type
// was absent is unread again. resetPartsForRun reports whether the informer has synced by that.
func (i *Informer[T]) resetPartsForRun() (becameSynced bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.unreadPartsAtRunStart = append([]*part[T]{}, i.parts...)
	for _, p := range i.parts {
		if p.state == partAbsent {
			p.state = partUnread // the type may have returned
		}
	}
	return i.updateSyncAndPresence()
}

// setPartState sets the state of p, which the store has reached by a list. initial reports whether it is the first
// list of the type, or the first since the type was absent. synced reports whether the informer has synced by it.
func (i *Informer[T]) setPartState(p *part[T], s partState) (isInitialList, becameSynced bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if p.state == s {
		return false, false
	}
	p.state = s
	return s == partPresent, i.updateSyncAndPresence()
}

// dropPart drops p, of which the store has no objects any more. It reports whether the informer has synced by that.
func (i *Informer[T]) dropPart(p *part[T]) (becameSynced bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	isDropped := func(other *part[T]) bool { return other == p }
	i.parts = slices.DeleteFunc(slices.Clone(i.parts), isDropped)
	i.unreadPartsAtRunStart = slices.DeleteFunc(i.unreadPartsAtRunStart, isDropped)
	return i.updateSyncAndPresence()
}

// updateSyncAndPresence is called after each change of the parts or their states. These decide whether the type is
// present, if all parts agree, and whether the informer has synced. updateSyncAndPresence reports whether it has
// synced by this change. It requires i.mu.
func (i *Informer[T]) updateSyncAndPresence() (becameSynced bool) {
	i.signalPartsChanged()
	differs := func(p *part[T]) bool { return p.state == partUnread || p.state != i.parts[0].state }
	if len(i.parts) > 0 && !slices.ContainsFunc(i.parts, differs) {
		i.setPresentOrHaltWaits(i.parts[0].state == partPresent)
	}
	i.unreadPartsAtRunStart = slices.DeleteFunc(i.unreadPartsAtRunStart, func(p *part[T]) bool { return p.state != partUnread })
	if i.unreadPartsAtRunStart == nil || len(i.unreadPartsAtRunStart) > 0 || ctxsync.IsClosed(i.synced) {
		return false
	}
	close(i.synced)
	return true
}

// signalPartsChanged wakes those that wait for a change of the parts, of their states, or of the sources of src. It
// requires i.mu.
func (i *Informer[T]) signalPartsChanged() {
	close(i.partsChanged)
	i.partsChanged = make(chan struct{})
}
