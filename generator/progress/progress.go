// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package progress tells users what a command does that may take minutes.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Start prints what begins, and prints it again each half minute until stop is called. Nothing else may write to out
// meanwhile, unless out can be written to by several goroutines, as files can.
func Start(out io.Writer, work string) (stop func()) {
	fmt.Fprintf(out, "indexer-gen: %s\n", work)
	started, stopped := time.Now(), make(chan struct{})
	var printing sync.WaitGroup
	printing.Go(func() {
		ticker := time.NewTicker(30 * time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-stopped:
				return
			case now := <-ticker.C:
				fmt.Fprintf(out, "indexer-gen: %s, for %s now\n", work, now.Sub(started).Round(time.Second))
			}
		}
	})
	return func() { close(stopped); printing.Wait() }
}
