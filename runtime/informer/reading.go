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
// and from there into the store on another or, if something that the store calls ends that,
// on several in turn.
type reading[T metav1.Object] struct {
	stream  *Stream[T]
	run     *run
	ctx     context.Context
	cancel  context.CancelFunc
	queue   *queue.DeltaFIFO[types.NamespacedName, T]
	read    chan struct{} // closed when the first of the two has ended
	release func()        // has the informer's progress and stats be without it
	exits   int           // goroutines that were ended since something was stored
}

// readInto has reads, which writes to the queue, read until the time is over.
func (g *reading[T]) readInto(reads *reflector.Reflector[T]) {
	defer close(g.read)
	returned := false
	defer func() {
		switch v := recover(); {
		case v != nil:
			panic(v) //nolint:forbidigo // the source's own panic
		case !returned && g.ctx.Err() == nil:
			g.stream.tell(ErrSourceExited)
		}
	}()
	reads.Run(g.ctx)
	returned = true
}

// store stores what is in the queue until the time is over, and then ends it.
func (g *reading[T]) store() {
	over := false
	defer func() {
		if over {
			return
		}
		if v := recover(); v != nil {
			panic(v) //nolint:forbidigo // of the store, or of what watches it
		}
		g.goOn()
	}()
	p := processor[T]{informer: g.stream.informer, stream: g.stream, ctx: g.ctx}
	for g.ctx.Err() == nil {
		// Fails only with ctx: process reports its own errors, and nobody closes the queue.
		if g.queue.Pop(g.ctx, p.process) == nil {
			g.exits = 0
		}
	}
	g.cancel()
	<-g.read
	g.release()
	g.stream.end(g.run)
	over = true
}

// goOn goes on to store, on another goroutine, when a function that the store calls has
// ended this one. The batch is in the queue again, and the store calls index and key
// functions apart from now on, and says which it was; if that does not help, it is some
// other function, and the time is over.
func (g *reading[T]) goOn() {
	switch g.exits++; g.exits {
	case 1:
	case 2:
		g.stream.tell(ErrStoreExited)
		g.cancel()
	default: // it cannot even be let go
		return
	}
	g.run.done.Go(g.store)
}
