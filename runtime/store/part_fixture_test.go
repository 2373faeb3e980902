// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// fed is a store that parts of a source feed.
type fed struct {
	*store.Store[string, *part]
	t *testing.T
}

func newFed(t *testing.T) fed {
	return fed{store.New(func(p *part) string { return p.key }), t}
}

func (s fed) feeder() *store.Feeder[string, *part] { return store.FeederOf(s.Store) }

// apply applies a batch of a part, at resourceVersion if that is not empty.
func (s fed) apply(name, resourceVersion string, changes ...func(*store.Batch[string, *part])) {
	s.t.Helper()
	var b store.Batch[string, *part]
	if resourceVersion != "" {
		b.ResourceVersion(resourceVersion)
	}
	for _, change := range changes {
		change(&b)
	}
	if _, err := store.ApplyPart(s.Store, &b, name, older); err != nil {
		s.t.Fatal(err)
	}
}

// bookmark moves s to resourceVersion.
func bookmark[K comparable, T any](s *store.Store[K, T], resourceVersion string) {
	var b store.Batch[K, T]
	b.ResourceVersion(resourceVersion)
	_, _ = s.Apply(&b)
}

// Options of a batch.
func rewind(b *store.Batch[string, *part]) { b.Replace(nil); b.Rewind() }

// begin starts a wait with a timeout of one hour in its bubble, and returns its result.
func (s fed) begin(wait func(context.Context, string) error, resourceVersion string) <-chan error {
	ended := make(chan error, 1)
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Hour)
	s.t.Cleanup(cancel)
	go func() { ended <- wait(ctx, resourceVersion) }()
	synctest.Wait()
	return ended
}
