// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package waitgroup has the Go method of sync.WaitGroup, which Go 1.24 lacks. Delete it
// when the runtime needs Go 1.25.
package waitgroup

import "sync"

// Group is a sync.WaitGroup with a Go method. The zero value is ready for use.
type Group struct{ sync.WaitGroup }

// Go calls f in a new goroutine and adds that goroutine to the group.
func (g *Group) Go(f func()) {
	g.Add(1)
	go func() {
		defer g.Done()
		f()
	}()
}
