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

// edges are the edges of a trigger, and their handlers while loops range over its keys.
type edges struct {
	queue *queue

	mu       sync.Mutex
	list     []edge
	ways     map[string]int // how many edges there are of each
	loops    int
	handlers []*informer.Registration
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

// begin is called when a loop begins. It returns the handlers, which it adds for the first loop.
func (e *edges) begin() []*informer.Registration {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.loops++; e.loops == 1 {
		for _, edge := range e.list {
			e.handlers = append(e.handlers, edge.listen(e.queue))
		}
	}
	return e.handlers
}

// end is called when a loop ends. After the last one it removes the handlers, waits for their last
// calls, and drops the pending keys.
func (e *edges) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.loops--; e.loops > 0 {
		return
	}
	for _, h := range e.handlers {
		_ = h.RemoveWait(context.Background()) // it fails only if its context ends
	}
	e.handlers = nil
	e.queue.clear()
}
