// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"k8s.io/apimachinery/pkg/types"
)

// apply applies what p was filled with from b. Objects of which the store cannot read the key
// are reported and left out, as those that could not be decoded, however many there are; the
// others are not. Each round leaves one out at least, so that it comes to an end also if the
// key function fails now and then.
func (p *processor[T]) apply(b *queue.Batch[types.NamespacedName, T]) error {
	for {
		err := p.informer.store.Apply(&p.batch)
		misfits := p.batch.Misfits()
		if len(misfits) == 0 {
			return err
		}
		for _, misfit := range slices.Backward(misfits) { // the positions before it stay what they are
			if !leaveOut(b, misfit.Position) {
				return misfit
			}
		}
		for _, misfit := range misfits {
			p.informer.tell(misfit)
		}
		p.batch.Reset()
		p.fill(b)
	}
}

// leaveOut makes a Stale of the delta whose object is at position in the store's batch.
func leaveOut[T any](b *queue.Batch[types.NamespacedName, T], position int) bool {
	var none T
	out := func(d *queue.Delta[types.NamespacedName, T]) bool {
		d.Type, d.Object, d.NoObject = queue.Stale, none, true
		return true
	}
	if b.Replace { // the objects come first
		for i := range b.Deltas {
			if d := &b.Deltas[i]; d.Type != queue.Replaced {
				continue
			} else if position == 0 {
				return out(d)
			}
			position--
		}
		return false
	}
	for i := range b.Deltas {
		if d := &b.Deltas[i]; d.Type == queue.Sync {
			continue
		} else if position == 0 {
			return d.Type != queue.Stale && d.Type != queue.Deleted && out(d)
		}
		position--
	}
	return false
}
