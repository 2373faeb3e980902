// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// While a type is absent, the informer asks every probePeriod whether it is served. The phase is random, and
// one for all informers of a program, so that those of one connection share the requests.
const probePeriod = 10 * time.Second

var probePhase = rand.N(probePeriod)

// Present reports whether the server serves the type, and returns a channel that is closed when that changes.
// It is false until the first list of the type is in the store, and from the time when its objects are deleted
// from the store because the type is absent. If the source has parts, all of them must agree. The informer of a
// source without Served never finds that its type is absent.
func (i *Informer[T]) Present() (present bool, changed <-chan struct{}) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.present, i.presentChanged
}

// Wake has an informer whose type is absent, or seems to be, ask at once whether the type is served. Call it, for
// example, after you have created the CustomResourceDefinition.
func (i *Informer[T]) Wake() {
	i.mu.Lock()
	defer i.mu.Unlock()
	close(i.wake)
	i.wake = make(chan struct{})
}

// setPresent records that the store has the first list of p, or the end of its objects. It requires i.mu.
func (p *part[T]) setPresent(present bool) {
	i := p.informer
	p.present = present
	if slices.ContainsFunc(i.parts, func(other *part[T]) bool { return other.present != present }) {
		return
	}
	if !present {
		i.feeder.Halt(i.name(store.ErrAbsent))
	} else if !i.present {
		i.feeder.Halt(nil)
	}
	if i.present != present {
		i.present = present
		close(i.presentChanged)
		i.presentChanged = make(chan struct{})
	}
}

// isGone reports whether the type is absent. After a 404 it asks the source: once if the type was not read
// yet, and otherwise for probePeriod.
func (f *feed[T]) isGone(err error) bool {
	if f.src.Served == nil || !apierrors.IsNotFound(err) {
		return false
	}
	end := time.Now()
	f.informer.mu.Lock()
	if f.present {
		end = end.Add(probePeriod)
	}
	f.informer.mu.Unlock()
	for {
		served, err := f.isServed()
		left := time.Until(end)
		if served || err != nil || left <= 0 {
			return !served && err == nil
		}
		f.pause(left)
	}
}

// sitOut deletes the objects of the absent type from the store, and returns when the type is served or ctx ends.
func (f *feed[T]) sitOut() {
	f.absent = true
	_ = f.process(&deltaBatch[T]{Replace: true})
	f.log.Write(slog.LevelInfo, "absent")
	for served := false; !served && f.ctx.Err() == nil; {
		if served, _ = f.isServed(); !served {
			now := time.Now().Add(-probePhase)
			f.pause(now.Truncate(probePeriod).Add(probePeriod).Sub(now))
		}
	}
	f.absent = false
}

// isServed asks the source, and reports its error.
func (f *feed[T]) isServed() (bool, error) {
	f.informer.mu.Lock()
	f.woken = f.informer.wake
	f.informer.mu.Unlock()
	served, err := f.src.Served(f.ctx)
	if err != nil && f.ctx.Err() == nil {
		_ = f.informer.report(f.part, fmt.Errorf("whether the type is served is unknown: %w", err))
	}
	return served, err
}

// pause returns after d, when Wake was called since the last isServed, or when ctx ends.
func (f *feed[T]) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-f.woken:
	case <-f.ctx.Done():
	}
}
