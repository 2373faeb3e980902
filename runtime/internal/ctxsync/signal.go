// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctxsync

import "context"

// Signal wakes one waiter, or the next one if none waits yet. A waiter that leaves work for
// others raises the signal again. Receiving from a Signal waits for it too. Create it with
// NewSignal; the zero value never wakes anything.
type Signal chan struct{}

// NewSignal returns a Signal that is not raised.
func NewSignal() Signal { return make(Signal, 1) }

// Raise wakes one waiter. Raising a raised signal changes nothing.
func (s Signal) Raise() {
	select {
	case s <- struct{}{}:
	default:
	}
}

// Wait returns nil when s is raised or done is closed, and the cause of ctx if that ends.
func (s Signal) Wait(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-s:
		return nil
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// AwaitClosed returns nil when c, on which nothing is sent, is closed, and the cause of ctx if that ends first. If both
// have happened, it returns nil.
func AwaitClosed(ctx context.Context, c <-chan struct{}) error {
	select {
	case <-c:
	case <-ctx.Done():
		if !IsClosed(c) {
			return context.Cause(ctx)
		}
	}
	return nil
}

// IsClosed reports whether c, on which nothing is sent, is closed.
func IsClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
