// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// While a type is absent, the informer asks every probePeriod whether it is served. The phase is random, and
// one for all informers of a program, so that those of one connection share the requests.
const probePeriod = 10 * time.Second

var probePhase = rand.Int64N(int64(probePeriod))

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
	for _, p := range i.parts {
		p.wake.Raise()
	}
}

// setPresent sets what Present reports. It requires i.mu.
func (i *Informer[T]) setPresent(present bool) {
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
	var since time.Time // of the first answer
	for {
		if served, err := f.isServed(); served || err != nil {
			return false
		}
		if since.IsZero() {
			since = time.Now()
		}
		left := probePeriod - time.Since(since)
		if !f.isPresent() || left <= 0 {
			return true
		}
		f.pause(left)
	}
}

// isPresent reports whether the part was read and not absent since.
func (f *feed[T]) isPresent() bool {
	f.informer.mu.Lock()
	defer f.informer.mu.Unlock()
	return f.state == present
}

// sitOut deletes the objects of the absent type from the store, and returns when the type is served or ctx ends.
func (f *feed[T]) sitOut() {
	_ = f.apply(&deltaBatch[T]{Replace: true}, absent) // the loop finds out
	f.log.Write(slog.LevelInfo, "absent")
	for f.ctx.Err() == nil {
		if served, _ := f.isServed(); served {
			return
		}
		f.pause(probePeriod - time.Duration(time.Now().UnixNano()+probePhase)%probePeriod)
	}
}

// isServed asks the source, and reports its error.
func (f *feed[T]) isServed() (bool, error) {
	served, err := f.src.Served(f.ctx)
	if err != nil && f.ctx.Err() == nil {
		_ = f.informer.report(f.part, fmt.Errorf("whether the type is served is unknown: %w", err))
	}
	return served, cmp.Or(err, f.ctx.Err())
}

// pause returns after d, when Wake was called since the last pause, or when ctx ends.
func (f *feed[T]) pause(d time.Duration) {
	ctx, cancel := context.WithTimeout(f.ctx, d)
	defer cancel()
	_ = f.wake.Wait(ctx, nil)
}
