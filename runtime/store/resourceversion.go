// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/parts"
)

// ErrRewound is returned by WaitFor if the source has gone backward, for example because etcd was
// restored. The store may then never reach the resourceVersion.
var ErrRewound = parts.ErrRewound

// ErrAbsent is returned by waits while an informer feeds the store and the server does not serve the type. The
// store is then empty. A WaitUntil for a deletion ends without an error.
var ErrAbsent = errors.New("the server does not serve the type")

// Epoch identifies the time between two restores of a server from a backup: each makes earlier
// resourceVersions meaningless. Compare Epochs with ==.
type Epoch struct{ rewindCount uint64 }

// Epoch returns the Epoch of a resourceVersion that the server has just returned.
func (r Reader[K, T]) Epoch() Epoch { return Epoch{r.version().positions.Rewinds()} }

// ResourceVersion returns the resourceVersion that the store reflects, bookmarks included. It is
// empty before the first Replace or Apply with a resourceVersion. If the source has parts
// ([Feeder.AddParts]) it is the earliest one, and empty until each has one.
func (r Reader[K, T]) ResourceVersion() string {
	last, _, _ := r.version().positions.Last()
	return last
}
