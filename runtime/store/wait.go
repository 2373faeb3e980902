// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
)

// errFrozen is why a wait on a snapshot ends at once.
var errFrozen = errors.New("a snapshot does not move: wait on the live reader")

// WaitFor returns once the store reflects resourceVersion or a later one of
// the same source: after a write through a client, wait for the version that
// it returned and read your own write (KEP-5504 has the order of versions).
//
// It fails with ErrRewound if the source goes backward meanwhile, at once if
// the versions cannot be compared, and with ctx. An empty version is there.
//
// A version belongs to one server. If the store is fed by several sources of one
// ([Feeder.Join]), it is reached when the last of them has reached it. If it is fed by
// several of which that is not said, WaitForStream names which, and WaitFor fails with
// ErrWhichStream. If it began when there was one source, and that one is not joined with
// those that come, it goes on to wait for that one.
//
// If whoever feeds the store says that it feeds it no more ([Feeder.Halt]), the wait fails
// with that. Otherwise it lasts as long as ctx, which had better end: a source that cannot
// be read never gets there. The error then wraps the cause of ctx and, of a store that an
// informer feeds, its last error; it names the informer, and the handler that blocks it, if one
// does.
func (r Reader[K, T]) WaitFor(ctx context.Context, resourceVersion string) error {
	return r.waitFor(ctx, resourceVersion, (*version[K, T]).placeAt)
}

// waitFor waits until what of looks at has been followed to resourceVersion.
func (r Reader[K, T]) waitFor(
	ctx context.Context, resourceVersion string, of func(*version[K, T], Mark) (place, error),
) error {
	if resourceVersion == "" {
		return nil
	}
	if err := resourceversion.Check(resourceVersion); err != nil {
		return fmt.Errorf("cannot wait: %w", err)
	}
	var (
		began Mark
		asked bool
		at    place
		fail  error
	)
	err := r.waitUntil(ctx, func() (done bool) {
		r.read(func(v *version[K, T]) { at, fail = of(v, began) })
		if fail != nil {
			return true
		}
		if !asked || began.named && began.life == 0 { // it has yet to begin
			began, asked = at.mark, true
		}
		began.life = cmp.Or(began.life, at.mark.life)
		done, fail = at.reached(began, resourceVersion)
		return done || fail != nil
	})
	if err != nil {
		return fmt.Errorf("waiting for resourceVersion %s, %s is at %q: %w",
			resourceVersion, at, at.resourceVersion, err)
	}
	return fail
}

// WaitUntil returns once cond holds, which is asked of a snapshot now and
// after each write, under no lock. It fails with ctx, and when the store is halted.
func (r Reader[K, T]) WaitUntil(ctx context.Context, cond func(Reader[K, T]) bool) error {
	return r.waitUntil(ctx, func() bool { return cond(r.Snapshot()) })
}

func (r Reader[K, T]) waitUntil(ctx context.Context, cond func() bool) error {
	switch {
	case r.s == nil:
		return errFrozen
	case r.at != nil:
		if cond() {
			return nil
		}
		return errFrozen
	}
	changed := notify.NewSignal()
	defer r.s.changed.Register(changed, all[K, T]{})()
	for {
		halted := r.s.halted.Load() // before cond, which may see what was written before the halt
		if cond() {
			return nil
		}
		if halted != nil {
			return halted.why
		}
		select {
		case <-changed.C():
		case <-ctx.Done():
			return r.s.inVain(context.Cause(ctx))
		}
	}
}

func (s *Store[K, T]) inVain(why error) error {
	if explain := s.explain.Load(); explain != nil {
		return (*explain)(why)
	}
	return why
}

type halt struct{ why error }
