// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
)

// errFrozen ends a wait on a snapshot or a zero Reader.
var errFrozen = errors.New("a snapshot never changes: wait on the live reader")

// WaitFor returns when the store reflects resourceVersion or a later version of the same
// source. After a write through a client, wait for the version that the write returned, and
// then read your own write. An empty version is always reached. KEP-5504 defines the order of
// versions.
//
// WaitFor returns ErrRewound if the source goes backward meanwhile, and an error if versions
// cannot be compared.
//
// If the source has parts, such as namespaces ([Feeder.AddParts]), the version is reached when the last of
// them has reached it. WaitFor also waits for parts that are added meanwhile, and no longer for those that
// end.
//
// If the store is no longer fed ([Feeder.Halt]), WaitFor returns the error of Halt. Otherwise it
// waits until ctx ends. Give it a context with a deadline, because a source that cannot be
// read never reaches the version. The error then wraps the cause of ctx. If an informer feeds the
// store, the error also names the informer, a handler that blocks it, and its last error.
func (r Reader[K, T]) WaitFor(ctx context.Context, resourceVersion string) error {
	if resourceVersion == "" {
		return nil
	}
	if err := resourceversion.Check(resourceVersion); err != nil {
		return fmt.Errorf("cannot wait: %w", err)
	}
	at := r.version()
	rewinds := at.positions.Rewinds()
	var fail error
	err := r.waitUntil(ctx, func() (done bool) {
		at = r.version()
		done, fail = at.positions.Reached(rewinds, resourceVersion)
		return done || fail != nil
	})
	if err != nil {
		last, name, _ := at.positions.Last()
		return fmt.Errorf("waiting for resourceVersion %s, %s is at %q: %w", resourceVersion, name, last, err)
	}
	return fail
}

// WaitUntil returns when cond returns true. It calls cond with a snapshot now and after writes,
// under no lock; several writes may share a call. It returns an error if ctx ends and if the store
// is halted.
func (r Reader[K, T]) WaitUntil(ctx context.Context, cond func(Reader[K, T]) bool) error {
	return r.waitUntil(ctx, func() bool { return cond(r.Snapshot()) })
}

func (r Reader[K, T]) waitUntil(ctx context.Context, cond func() bool) error {
	switch {
	case r.store == nil:
		return errFrozen
	case r.frozenVersion != nil:
		if cond() {
			return nil
		}
		return errFrozen
	}
	changed := notify.NewSignal()
	defer r.store.waits.Register(changed, allNode[K, T]{})()
	for {
		halted := r.store.haltedWaitError.Load() // before cond, which may see what was written before the halt
		if cond() {
			return nil
		}
		if halted != nil {
			return *halted
		}
		select {
		case <-changed.Signal:
		case <-ctx.Done():
			return r.store.explainByFeeder(context.Cause(ctx))
		}
	}
}

func (s *Store[K, T]) explainByFeeder(why error) error {
	if explain := s.feederExplain.Load(); explain != nil {
		return (*explain)(why)
	}
	return why
}
