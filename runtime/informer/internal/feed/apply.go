// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package feed

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// apply applies b to the store at once, passes the changes to the hub, and waits for the handlers that
// are too far behind.
//
//nolint:unparam // the queue requires the result
func (f *Feed[T]) apply(b *deltas[T]) error {
	err := f.cfg.Hub.Apply(f.ctx, func(d *inbox.Delivery[T]) {
		f.fill(b)
		for _, leftOut := range f.cfg.Feeder.Apply(&f.batch) {
			f.cfg.Reflector.OnError(leftOut)
		}
		d.Changes, d.List = divided(f.batch.Changes()), b.Replace
		f.batch.Reset()
		if b.Replace {
			f.batch = batch[T]{} // release the memory of a list
		}
		d.Initial, d.Last = f.cfg.Applied(b.Replace)
	})
	if err == nil { // otherwise the source is no longer read
		f.cfg.Hub.AwaitRoom(f.ctx)
	}
	return nil
}

// fill converts b to a batch of the store.
func (f *Feed[T]) fill(b *deltas[T]) {
	out := &f.batch
	out.SkipUnchanged(accessor.Unchanged[T])
	if f.cfg.Several() {
		out.SetSource(f.cfg.Name, isOlder[T])
	}
	if b.Replace {
		out.Replace(f.listed(b)) // the store finds the objects that vanished
	}
	for i := range b.Deltas {
		switch d := &b.Deltas[i]; {
		case d.Type == queue.Stale:
			out.KeepStale(d.Key)
		case b.Replace:
		case d.Type == queue.Deleted && (d.NoObject || d.FinalStateUnknown):
			out.Delete(d.Key)
		case d.Type == queue.Deleted:
			out.DeleteFinal(d.Key, d.Object)
		default:
			out.Set(d.Object)
		}
	}
	if b.ResourceVersion != "" {
		out.ResourceVersion(b.ResourceVersion)
	}
	if b.Rewound {
		out.Rewind()
	}
}

// listed returns the objects of a list, including those whose known state stays.
func (f *Feed[T]) listed(b *deltas[T]) []T {
	objs := make([]T, 0, len(b.Deltas))
	for i := range b.Deltas {
		switch d := &b.Deltas[i]; d.Type {
		case queue.Replaced:
			objs = append(objs, d.Object)
		case queue.Kept:
			if old, ok := f.known(d.Key); ok {
				objs = append(objs, old)
			}
		}
	}
	return objs
}

// isOlder reports whether a is known to be an earlier state than b.
func isOlder[T metav1.Object](a, b T) bool {
	return resourceversion.Older(a.GetResourceVersion(), b.GetResourceVersion())
}

// divided replaces each change from one object to another one of its name by a deletion and an addition.
func divided[T metav1.Object](all []inbox.Change[T]) []inbox.Change[T] {
	updates := 0
	for i := range all {
		c := &all[i]
		if c.Type == queue.Added || !inbox.Another(c.Old, c.New) {
			continue
		}
		if c.Type == queue.Updated {
			updates++
		} else { // the final state is that of another object
			*c = inbox.Lost(c.Old, store.FinalStateUnknown)
		}
	}
	switch {
	case updates > 0:
	case 2*len(all) < cap(all): // a list that repeats most objects has room for all
		return slices.Clone(all)
	default:
		return all
	}
	out := make([]inbox.Change[T], 0, len(all)+updates)
	for _, c := range all {
		if c.Type == queue.Updated && inbox.Another(c.Old, c.New) {
			out = append(out, inbox.Lost(c.Old, store.FinalStateUnknown))
			c = inbox.Change[T]{New: c.New, Type: queue.Added}
		}
		out = append(out, c)
	}
	return out
}
