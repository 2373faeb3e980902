// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
)

// clusters holds the informers of each cluster by its name. Its methods are safe for concurrent use.
type clusters struct {
	mu  sync.Mutex
	all map[string]*v1alpha1.Informers
}

// add starts the informers of a cluster. Handlers are added before.
func (c *clusters) add(ctx context.Context, name string, informers *v1alpha1.Informers) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all[name] = informers
	informers.Start(ctx)
}

// remove stops the informers of a cluster and waits for them. Handlers get no deletions for its objects.
func (c *clusters) remove(ctx context.Context, name string) error {
	c.mu.Lock()
	informers := c.all[name]
	delete(c.all, name)
	c.mu.Unlock()
	if informers == nil {
		return nil
	}
	return informers.ShutdownContext(ctx)
}

// now yields the clusters in order of their names, as of the start of the loop.
func (c *clusters) now() iter.Seq2[string, *v1alpha1.Informers] {
	return func(yield func(string, *v1alpha1.Informers) bool) {
		c.mu.Lock()
		all := maps.Clone(c.all)
		c.mu.Unlock()
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if !yield(name, all[name]) {
				return
			}
		}
	}
}

// waitForSync waits for each cluster. Its error names the first one that has not synced.
func (c *clusters) waitForSync(ctx context.Context) error {
	for name, informers := range c.now() {
		if err := informers.WaitForSync(ctx); err != nil {
			return fmt.Errorf("cluster %s: %w", name, err)
		}
	}
	return nil
}
