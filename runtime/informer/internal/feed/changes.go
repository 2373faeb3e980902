// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package feed

import (
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// changesOf returns the changes of which handlers are notified. done are the changes of the store. An
// object that a list or watch repeats unchanged is not a change.
func changesOf[T metav1.Object](done []store.Change[types.NamespacedName, T]) []inbox.Change[T] {
	out := make([]inbox.Change[T], 0, len(done))
	var became [together]comparison
	for n := range done {
		c := &done[n]
		if n%together == 0 {
			compare(done[n:min(n+together, len(done))], &became)
		}
		switch found := became[n%together]; {
		case c.HasNew && !c.HadOld:
			out = append(out, inbox.Change[T]{New: c.New, Type: queue.Added})
		case c.HasFinal && !inbox.Another(c.Old, c.New):
			out = append(out, inbox.Change[T]{Old: c.Old, New: c.New, Type: queue.Deleted})
		case !c.HasNew:
			out = append(out, inbox.Lost(c.Old, false))
		case found.another: // two objects of one name
			out = append(out, inbox.Lost(c.Old, false), inbox.Change[T]{New: c.New, Type: queue.Added})
		case found.oneVersion && accessor.Unchanged(c.Old, c.New):
		default:
			out = append(out, inbox.Change[T]{Old: c.Old, New: c.New, Type: queue.Updated})
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// together is the number of objects that are compared at once.
const together = 16

// comparison compares an object with the one that it replaces, without comparing all fields.
type comparison struct {
	another    bool // they are two objects of one name
	oneVersion bool // they have one version
}

// compare compares the new and old objects of at most together changes. Their strings are rarely
// in the processor's cache; comparing several in a row lets the cache misses overlap.
func compare[T metav1.Object](done []store.Change[types.NamespacedName, T], found *[together]comparison) {
	for i := range done {
		c := &done[i]
		found[i].another = c.HadOld && c.HasNew && inbox.Another(c.Old, c.New)
	}
	for i := range done {
		c := &done[i]
		found[i].oneVersion = c.HadOld && c.HasNew && c.Old.GetResourceVersion() == c.New.GetResourceVersion()
	}
}
