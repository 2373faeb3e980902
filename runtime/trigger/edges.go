// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package trigger

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

// edges are the edges of a trigger, and the run of its loops. No foreign code runs under mu.
type edges struct {
	mu    sync.Mutex
	list  []edge
	ways  map[string]int // how many edges there are of each
	loops int
	run   *run
}

// run is what loops share: from the begin of the first one until the last one has ended.
type run struct {
	*queue
	handlers func() []*informer.Registration // adds them in the first call
}

// edge is an *Edge of any types.
type edge interface {
	listen(q *queue) *informer.Registration
	waitForSync(ctx context.Context) error
	stats() EdgeStats
}

// add adds an edge and returns its name, which is way, with a number if there is such an edge already.
func (e *edges) add(added edge, way string) (name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.loops > 0 {
		panic("trigger: an edge was added while Keys is in use") //nolint:forbidigo // a bug of the caller
	}
	e.list = append(e.list, added)
	if e.ways == nil {
		e.ways = map[string]int{}
	}
	if e.ways[way]++; e.ways[way] > 1 {
		return fmt.Sprintf("%s (%d)", way, e.ways[way])
	}
	return way
}

func (e *edges) snapshot() []edge {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.list)
}

// begin is called when a loop begins.
func (e *edges) begin() *run {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.loops++; e.loops == 1 {
		list, q := e.list, newQueue()
		e.run = &run{q, sync.OnceValue(func() (handlers []*informer.Registration) {
			for _, edge := range list {
				handlers = append(handlers, edge.listen(q))
			}
			return handlers
		})}
	}
	return e.run
}

// end is called when a loop of r ends. After the last one it removes the handlers. A call of one that is still
// running puts its keys into the queue of r, from which nobody takes.
func (e *edges) end(r *run) {
	e.mu.Lock()
	e.loops--
	last := e.loops == 0
	e.mu.Unlock()
	if !last {
		return
	}
	for _, h := range r.handlers() {
		h.Remove()
	}
}
