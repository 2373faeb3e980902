// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/stream"
)

var (
	// ErrRewound is returned by WaitFor if the source has gone backward, for example because etcd
	// was restored. The store may then never reach the resourceVersion.
	ErrRewound = stream.ErrRewound
	// ErrSourceEnded is returned by WaitForSource if the source is removed.
	ErrSourceEnded = stream.ErrEnded
	// ErrWhichSource is returned by WaitFor if the store has several sources that are not
	// joined by Feeder.Join, so that a version may belong to any of them.
	ErrWhichSource = stream.ErrWhich
)

// Epoch identifies the source and the epoch of a resourceVersion, so that Reached can check it
// later. After a server is restored from a backup, earlier versions mean nothing. Epochs may
// be compared with ==. Use the zero Epoch for versions of unknown origin.
//
// An Epoch of the store's only source stays tied to it when sources are added. If that source
// is joined, the Epoch means all joined sources.
type Epoch struct{ of stream.Epoch }

// Epoch returns the Epoch of a resourceVersion that the server has just returned. The store has
// one source, or several that are joined; see WaitFor.
func (r Reader[K, T]) Epoch() Epoch { return r.now(stream.Epoch{}) }

// EpochOf returns the Epoch of a resourceVersion of source that the server has just returned; see
// WaitForSource.
func (r Reader[K, T]) EpochOf(source string) Epoch { return r.now(stream.EpochOf(source)) }

func (r Reader[K, T]) now(e stream.Epoch) Epoch {
	if at, err := r.version().positions.At(e); err == nil && r.s != nil { // WaitFor returns the error
		e = at.Epoch
	}
	return Epoch{e}
}

// ResourceVersion returns the resourceVersion that the store reflects, bookmarks included. It is
// empty before the first Replace or Apply with a resourceVersion. For joined sources
// ([Feeder.Join]) it is the earliest one, and empty until each has one. For other stores with
// several sources use ResourceVersionOf.
func (r Reader[K, T]) ResourceVersion() string {
	at, _ := r.version().positions.At(stream.Epoch{})
	return at.ResourceVersion
}

// ResourceVersionOf returns the resourceVersion of source that the store reflects, or "" if it is
// not known; see [Batch.SetSource].
func (r Reader[K, T]) ResourceVersionOf(source string) string {
	return r.version().positions.Of(source).ResourceVersion
}

// Reached reports whether the store reflects resourceVersion or a later one. e is the Epoch of
// resourceVersion. An empty version is always reached. Reached does not wait. It returns the
// errors of WaitFor: ErrRewound if the source has gone backward since, ErrSourceEnded if it was
// removed, ErrWhichSource if e does not name one of several sources, and an error if versions
// have no order.
func (r Reader[K, T]) Reached(e Epoch, resourceVersion string) (reached bool, err error) {
	at, err := r.version().positions.At(e.of)
	if err == nil && resourceVersion != "" {
		err = resourceversion.Check(resourceVersion)
	}
	if err != nil {
		return false, err
	}
	return at.Reached(e.of, resourceVersion)
}
