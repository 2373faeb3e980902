// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A watchdog bites when it has not been fed for as long as it is told, or up to a quarter
// longer, and not before; a retired one does not bite at all.
func TestWatchdog(t *testing.T) {
	const limit = checks * time.Second
	for name, c := range map[string]struct {
		every time.Duration // it is fed
		times int
	}{
		"never fed":       {},
		"fed often":       {time.Second / 10, 100},
		"fed at the last": {limit - time.Second, 10},
		"fed with a look": {limit / checks, 10},
		"fed after it":    {limit/checks + time.Millisecond, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, w := newWatchdog(t.Context(), limit, errStalled)
				defer w.stop()
				for range c.times {
					time.Sleep(c.every)
					if ctx.Err() != nil {
						t.Fatal("it has bitten, though it was fed")
					}
					w.feed()
				}
				fed := time.Now()
				<-ctx.Done()
				if took := time.Since(fed); took < limit || took > limit+limit/checks || context.Cause(ctx) != errStalled {
					t.Errorf("it bit after %v, with %v; want %v, or a quarter more", took, context.Cause(ctx), limit)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, w := newWatchdog(t.Context(), limit, errStalled)
		defer w.stop()
		time.Sleep(limit - time.Second)
		w.retire()
		time.Sleep(10 * limit)
		if ctx.Err() != nil {
			t.Error("it has bitten after it was retired")
		}
	})
}
