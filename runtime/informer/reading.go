// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// reading is the time in which a source is read in one run: into the queue on one goroutine,
// and from there into the store on another.
type reading[T metav1.Object] struct {
	stream  *Stream[T]
	run     *run
	ctx     context.Context
	cancel  context.CancelFunc
	queue   *queue.InOrder[types.NamespacedName, T]
	read    chan struct{} // closed when the first of the two has ended
	release func()        // has the informer's progress and stats be without it
}

// readInto has reads, which writes to the queue, read until the time is over.
func (g *reading[T]) readInto(reads *reflector.Reflector[T]) {
	defer close(g.read)
	reads.Run(g.ctx)
}

// store stores what is in the queue until the time is over, and then ends it.
func (g *reading[T]) store() {
	returned := false
	defer func() {
		if !returned {
			panic("informer: an index function, key function or handler has called runtime.Goexit") //nolint:forbidigo // see store/doc.go
		}
	}()
	p := processor[T]{informer: g.stream.informer, stream: g.stream, ctx: g.ctx}
	for g.ctx.Err() == nil {
		// Fails only with ctx: process reports its own errors, and nobody closes the queue.
		_ = g.queue.Pop(g.ctx, p.process)
	}
	g.cancel()
	<-g.read
	g.release()
	g.stream.end(g.run)
	returned = true
}
