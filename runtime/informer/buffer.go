// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// defaultBatchSize is the largest number of deltas in a batch unless WithBatchSize sets it.
const defaultBatchSize = 1000

// buffer holds what a feed has read and not applied, in batches, in order of arrival. So a batch says how
// far the source has been read: nothing older is pending. A put waits while the deltas of two full batches are
// pending, where a list of any size counts as a full batch. One goroutine puts, and another takes.
type buffer[T any] struct {
	maxBatchDeltas int            // of a full batch
	readable       ctxsync.Signal // raised by a put
	writable       ctxsync.Signal // raised by take

	mu            sync.Mutex // guards the fields below
	pending       []*deltaBatch[T]
	pendingWeight int            // deltas in pending; a list counts as a full batch
	takenBatch    *deltaBatch[T] // was taken, or nil
	spareBatch    *deltaBatch[T] // was applied; the next put reuses its memory
}

func newBuffer[T any](batchSize int) *buffer[T] {
	if batchSize <= 0 {
		batchSize = defaultBatchSize
	}
	return &buffer[T]{maxBatchDeltas: batchSize, readable: ctxsync.NewSignal(), writable: ctxsync.NewSignal()}
}

// put adds d. resourceVersion is the position of the source after d, "" if unknown. put waits while two full
// batches are pending. If ctx ends first, it returns the cause and adds nothing.
func (b *buffer[T]) put(ctx context.Context, d source.Delta[T], resourceVersion string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.awaitRoom(ctx); err != nil {
		return err
	}
	last := b.last()
	if last == nil || last.Replace || len(last.Deltas) >= b.maxBatchDeltas {
		last = b.appendBatch()
	}
	last.Deltas = append(last.Deltas, d)
	b.pendingWeight++
	if resourceVersion != "" {
		last.ResourceVersion = resourceVersion
	}
	b.readable.Raise()
	return nil
}

// appendList adds a complete list, a batch of any size with Replace set. It waits like put.
func (b *buffer[T]) appendList(ctx context.Context, list deltaBatch[T]) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.awaitRoom(ctx); err != nil {
		return err
	}
	b.pending = append(b.pending, &list)
	b.pendingWeight += b.maxBatchDeltas
	b.readable.Raise()
	return nil
}

// putVersion moves the position of the source without a delta. The newest pending batch carries it, so that it
// never waits.
func (b *buffer[T]) putVersion(resourceVersion string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := b.last()
	if last == nil {
		last = b.appendBatch()
		b.readable.Raise()
	}
	last.ResourceVersion = resourceVersion
}

// appendBatch adds an empty batch. It requires b.mu.
func (b *buffer[T]) appendBatch() *deltaBatch[T] {
	batch := b.spareBatch
	if b.spareBatch = nil; batch == nil {
		batch = &deltaBatch[T]{}
	}
	b.pending = append(b.pending, batch)
	return batch
}

// awaitRoom waits while two full batches are pending. It requires b.mu, and releases it meanwhile.
func (b *buffer[T]) awaitRoom(ctx context.Context) (err error) {
	for err == nil && b.pendingWeight >= 2*b.maxBatchDeltas {
		b.mu.Unlock()
		err = b.writable.Wait(ctx, nil)
		b.mu.Lock()
	}
	return err
}

// last returns the newest pending batch, or nil. It requires b.mu.
func (b *buffer[T]) last() *deltaBatch[T] {
	if n := len(b.pending); n > 0 {
		return b.pending[n-1]
	}
	return nil
}

// takeRecyclingPrevious waits for a batch, and returns the oldest. The one that it returned before has been applied,
// and its memory is reused. take returns nil if ctx ends first.
func (b *buffer[T]) takeRecyclingPrevious(ctx context.Context) *deltaBatch[T] {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.recycleTaken()
	for ctx.Err() == nil && len(b.pending) == 0 {
		b.mu.Unlock()
		_ = b.readable.Wait(ctx, nil) // the loop finds out
		b.mu.Lock()
	}
	if ctx.Err() != nil {
		return nil
	}
	b.takenBatch = b.pending[0]
	b.pending = slices.Delete(b.pending, 0, 1)
	if b.takenBatch.Replace {
		b.pendingWeight -= b.maxBatchDeltas
	} else {
		b.pendingWeight -= len(b.takenBatch.Deltas)
	}
	b.writable.Raise()
	return b.takenBatch
}

// recycleTaken ends the use of the batch that was taken. A list may be much larger than a batch, and is left to the
// garbage collector. recycleTaken requires b.mu.
func (b *buffer[T]) recycleTaken() {
	if batch := b.takenBatch; batch != nil && !batch.Replace {
		clear(batch.Deltas)
		*batch = deltaBatch[T]{Deltas: batch.Deltas[:0]}
		b.spareBatch = batch
	}
	b.takenBatch = nil
}

// isIdle reports whether nothing is pending or being applied. Then the goroutine that puts may apply a delta
// itself: as long as it puts nothing, the other goroutine has nothing to apply.
func (b *buffer[T]) isIdle() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.pending) == 0 && b.takenBatch == nil
}
