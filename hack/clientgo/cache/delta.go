// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
)

var deltaTypes = map[queue.Type]cache.DeltaType{
	queue.Added: Added, queue.Updated: Updated, queue.Deleted: Deleted, queue.Replaced: Replaced, queue.Sync: Sync,
}

// deltaOf returns a delta of ours as one of client-go's.
func deltaOf(d queue.Delta[string, any]) Delta {
	if d.FinalStateUnknown {
		return Delta{Type: Deleted, Object: DeletedFinalStateUnknown{Key: d.Key, Obj: d.Object}}
	}
	return Delta{Type: deltaTypes[d.Type], Object: d.Object}
}
