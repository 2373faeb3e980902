// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"runtime"
	"sync"
	"testing"
)

// Readers and writers exclude each other, also if they lose their processor inside.
func TestGate(t *testing.T) {
	var (
		g             Gate
		first, second int
		wg            sync.WaitGroup
	)
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 20_000 {
				g.RLock()
				seen := first
				if i%64 == 0 {
					runtime.Gosched()
				}
				if seen != second {
					t.Errorf("a reader sees %d and %d", seen, second)
				}
				g.RUnlock()
			}
		}()
	}
	for i := range 20_000 {
		g.Lock()
		first++
		if i%64 == 0 {
			runtime.Gosched()
		}
		second++
		g.Unlock()
	}
	wg.Wait()
}
