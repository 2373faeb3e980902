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

// reading reads a source in one run: one goroutine reads it into the queue, another applies the
// queue to the store.
type reading[T metav1.Object] struct {
	stream  *Stream[T]
	run     *run
	ctx     context.Context
	cancel  context.CancelFunc
	queue   *queue.InOrder[types.NamespacedName, T]
	read    chan struct{} // closed when the reflector has ended
	release func()        // removes it from the informer's progress and stats
}

// readInto runs a reflector that writes to the queue.
func (g *reading[T]) readInto(reads *reflector.Reflector[T]) {
	defer close(g.read)
	reads.Run(g.ctx)
}

// store applies the queue to the store until ctx ends. It then ends the reading.
func (g *reading[T]) store() {
	returned := false
	defer func() {
		if !returned {
			panic("informer: an index function, key function or handler has called runtime.Goexit") //nolint:forbidigo // see store/doc.go
		}
	}()
	p := processor[T]{informer: g.stream.informer, stream: g.stream, ctx: g.ctx}
	for g.ctx.Err() == nil {
		// Pop returns an error only if ctx has ended: process reports its own errors.
		_ = g.queue.Pop(g.ctx, p.process)
	}
	g.cancel()
	<-g.read
	g.release()
	g.stream.end(g.run)
	returned = true
}
