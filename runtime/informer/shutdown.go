// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Shutdown stops all informers and waits until all their goroutines have ended. Informers that
// are created afterwards never run. Shutdown may be called more than once, and without Start. A
// handler must not call it: Shutdown waits for the call. If a handler hangs, Shutdown does not
// return; ShutdownContext does.
func (f *Factory) Shutdown() { _ = f.ShutdownContext(context.Background()) }

// ShutdownContext stops all informers and waits until all their goroutines have ended or ctx
// ends. In the latter case its error wraps the cause of ctx and names the informers and handlers
// that have not ended. No other call of a handler begins.
func (f *Factory) ShutdownContext(ctx context.Context) error {
	f.mu.Lock()
	f.end()
	if f.cancel != nil {
		f.cancel()
	} else {
		for _, m := range f.members {
			m.abandon()
		}
	}
	f.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		f.running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w; %s", context.Cause(ctx), strings.Join(f.hanging(), "; "))
	}
}

// hanging describes the calls that keep the informers from ending.
func (f *Factory) hanging() (all []string) {
	f.mu.Lock()
	live := slices.Clone(f.live)
	f.mu.Unlock()
	for _, m := range live {
		if o, ok := m.Runner.(owned); ok {
			all = append(all, o.hanging()...)
		} else {
			all = append(all, fmt.Sprintf("a %T has not ended", m.Runner))
		}
	}
	return all
}
