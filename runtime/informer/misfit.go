// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"errors"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// maxMisfits is how many objects of a batch the store may refuse.
const maxMisfits = 100

// apply applies what p was filled with from b. An object of which the store cannot read
// the key is reported and left out, as one that could not be decoded; the others are
// not.
func (p *processor[T]) apply(b *queue.Batch[types.NamespacedName, T]) error {
	for range maxMisfits {
		err := p.informer.store.Apply(&p.batch)
		var misfit *store.KeyError
		if !errors.As(err, &misfit) || !leaveOut(b, misfit.Position) {
			return err
		}
		p.informer.tell(err)
		p.batch.Reset()
		p.fill(b)
	}
	return p.informer.store.Apply(&p.batch)
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
