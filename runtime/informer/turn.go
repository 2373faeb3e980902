// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import "context"

// turn is a mutex whose holder may be waited for with a context: what it guards may
// call foreign code.
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
