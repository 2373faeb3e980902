// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctxsync

import "context"

// Mutex is a mutex whose Lock ends with a context, so that its holder may call foreign code.
// Create it with NewMutex; the zero value blocks forever.
type Mutex chan struct{}

// NewMutex returns an unlocked Mutex.
func NewMutex() Mutex { return make(Mutex, 1) }

// Lock locks m. It returns the cause of ctx, without the lock, if ctx ends first. A mutex
// that is free is locked even if ctx has ended.
func (m Mutex) Lock(ctx context.Context) error {
	select {
	case m <- struct{}{}:
		return nil
	default:
	}
	select {
	case m <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Unlock unlocks m, which must be locked. Any goroutine may call it.
func (m Mutex) Unlock() { <-m }
