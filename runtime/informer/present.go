// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import "github.com/indexer-gen/indexer-gen/runtime/store"

// Present reports whether the server serves the type, and returns a channel that is closed when that changes.
// It is false until the first list of the type is in the store, and from the time when its objects are deleted
// from the store because the type is absent. If the source has parts, all of them must agree. The informer of a
// source without Served never finds that its type is absent.
func (i *Informer[T]) Present() (present bool, changed <-chan struct{}) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.presenceConfirmed, i.presentChanged
}

// IsPartAbsent reports whether the store has no objects of a part of the source because the type is absent. The name of
// a source without parts is "".
func (i *Informer[T]) IsPartAbsent(name string) bool {
	state, _, _ := i.partStatus(name)
	return state == partAbsent
}

// Wake has an informer whose type is absent, or seems to be, ask at once whether the type is served. Call it, for
// example, after you have created the CustomResourceDefinition.
func (i *Informer[T]) Wake() {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, p := range i.parts {
		p.probeServedSignal.Raise()
	}
}

// setPresentOrHaltWaits sets what Present reports. It requires i.mu.
func (i *Informer[T]) setPresentOrHaltWaits(present bool) {
	var why error // waits end
	if !present {
		why = i.wrapError(store.ErrAbsent)
	}
	i.wholeSourceFeeder.Halt(why)
	if i.presenceConfirmed != present {
		i.presenceConfirmed = present
		close(i.presentChanged)
		i.presentChanged = make(chan struct{})
	}
}
