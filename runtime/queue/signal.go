// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import "context"

// A signal wakes one waiter, or the next one if nobody waits yet. Whoever was woken
// and leaves something for others to do must raise it again. Waiting for it ends
// with a context, which a sync.Cond cannot.
type signal chan struct{}

func newSignal() signal { return make(signal, 1) }

func (s signal) raise() {
	select {
	case s <- struct{}{}:
	default:
	}
}

// wait returns nil when s is raised or done is closed.
func (s signal) wait(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-s:
		return nil
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// A turn is a mutex whose holder may be waited for with a context.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

func (t turn) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	default:
	}
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t turn) give() { <-t }
