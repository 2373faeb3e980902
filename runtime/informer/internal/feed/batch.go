// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package feed

import (
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// fill converts b to a batch of the store.
func (f *Feed[T]) fill(b *deltas[T]) {
	out, several := &f.batch, f.cfg.Several()
	if several {
		out.SetSource(f.cfg.Name, isOlder[T])
	}
	if b.Replace {
		out.Replace(f.listed(b)) // the store finds the objects that vanished
	}
	for i := range b.Deltas {
		switch d := &b.Deltas[i]; {
		case d.Type == queue.Stale:
			out.KeepStale(d.Key)
		case b.Replace, d.Type == queue.Sync:
		case d.Type == queue.Deleted && (d.NoObject || d.FinalStateUnknown):
			out.Delete(d.Key)
		case d.Type == queue.Deleted:
			out.DeleteFinal(d.Key, d.Object)
		case several: // another source may have delivered it
			out.Set(f.held(d))
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
			objs = append(objs, f.held(d))
		case queue.Kept:
			if old, ok := f.known(d.Key); ok {
				objs = append(objs, old)
			}
		}
	}
	return objs
}

// held returns the object in the store if that of d is unchanged, and the latter otherwise.
func (f *Feed[T]) held(d *delta[T]) T {
	if old, ok := f.known(d.Key); ok && accessor.Unchanged(old, d.Object) {
		return old
	}
	return d.Object
}

// isOlder reports whether a is known to be an earlier state than b.
func isOlder[T metav1.Object](a, b T) bool {
	order, err := resourceversion.Compare(a.GetResourceVersion(), b.GetResourceVersion())
	return err == nil && order < 0
}

// Remove removes a source from the store, and returns the objects that no other source has.
func Remove[T metav1.Object](feeder *store.Feeder[types.NamespacedName, T], source string) []inbox.Change[T] {
	var b batch[T]
	b.SetSource(source, nil)
	b.EndSource()
	feeder.Apply(&b)
	changes := make([]inbox.Change[T], 0, len(b.Changes()))
	for _, c := range b.Changes() {
		changes = append(changes, inbox.Lost(c.Old, true))
	}
	return changes
}
