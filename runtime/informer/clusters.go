// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
)

var (
	// ErrClusterExists is why a cluster is not added whose name another one has.
	ErrClusterExists = errors.New("there is a cluster of that name already; Remove takes it away")
	// ErrNoSuchCluster is why a cluster is not removed that there is not.
	ErrNoSuchCluster = errors.New("there is no cluster of that name")
)

// Starter is what reads one cluster: a *Factory, or what embeds one, as the Informers of
// emitted code do.
type Starter interface {
	Start(ctx context.Context)
	WaitForSync(ctx context.Context) error
	ShutdownContext(ctx context.Context) error
}

// Clusters are the informers of several clusters, which may come and go while they run,
// and which [Ask] asks as if they were one. Each cluster has stores of its own: objects of
// different clusters may have the same name, and resourceVersions are each cluster's. Its
// methods are safe for concurrent use. It is started once and shut down once.
type Clusters[F Starter] struct {
	mu   sync.Mutex
	all  map[string]F // by name
	ctx  context.Context
	over bool
}

// NewClusters returns no clusters.
func NewClusters[F Starter]() *Clusters[F] { return &Clusters[F]{all: make(map[string]F)} }

// Add adds a cluster, and starts its informers if the others have been started. Handlers
// are best added before. It fails if there is a cluster of that name.
func (c *Clusters[F]) Add(name string, informers F) error {
	c.mu.Lock()
	_, exists := c.all[name]
	if !exists {
		c.all[name] = informers
	}
	ctx := c.running()
	c.mu.Unlock()
	if exists {
		return fmt.Errorf("cluster %s: %w", name, ErrClusterExists)
	}
	if ctx != nil {
		informers.Start(ctx)
	}
	return nil
}

// running returns what informers are to be started with, nil if they are not to be. The
// lock must be held.
func (c *Clusters[F]) running() context.Context {
	if c.over {
		return nil
	}
	return c.ctx
}

// Remove takes a cluster away, stops its informers and waits for them, until ctx ends,
// whose cause it returns then. Handlers are not told that its objects are gone.
func (c *Clusters[F]) Remove(ctx context.Context, name string) error {
	c.mu.Lock()
	informers, exists := c.all[name]
	delete(c.all, name)
	c.mu.Unlock()
	if !exists {
		return fmt.Errorf("cluster %s: %w", name, ErrNoSuchCluster)
	}
	return informers.ShutdownContext(ctx)
}

// Get returns the informers of a cluster, and whether there is one of that name.
func (c *Clusters[F]) Get(name string) (informers F, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	informers, ok = c.all[name]
	return informers, ok
}

// All yields the clusters that there are when ranging begins, in the order of their names.
func (c *Clusters[F]) All() iter.Seq2[string, F] {
	return func(yield func(string, F) bool) {
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

// Start starts the informers of all clusters, and from now on those of each that is added.
// They stop when ctx ends, or by Shutdown. Only the first call has an effect.
func (c *Clusters[F]) Start(ctx context.Context) {
	c.mu.Lock()
	first := c.ctx == nil && !c.over
	if first {
		c.ctx = ctx
	}
	c.mu.Unlock()
	if first {
		for _, informers := range c.All() {
			informers.Start(ctx)
		}
	}
}

// WaitForSync waits until the informers of all clusters that there are now have synced. It
// returns the errors of those that have not, with the names of their clusters, joined.
func (c *Clusters[F]) WaitForSync(ctx context.Context) error {
	var errs []error
	for name, informers := range c.All() {
		if err := informers.WaitForSync(ctx); err != nil {
			errs = append(errs, fmt.Errorf("cluster %s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// Shutdown stops the informers of all clusters and waits until they have ended. Those of
// clusters that are added afterwards are never started.
func (c *Clusters[F]) Shutdown() {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	var ending sync.WaitGroup
	for _, informers := range c.All() {
		// Without an end of the wait there is nothing to fail.
		ending.Go(func() { _ = informers.ShutdownContext(context.Background()) })
	}
	ending.Wait()
}

// Ask puts a question to every cluster and yields the answers with the names of their
// clusters, cluster by cluster:
//
//	offline := func(i *v1.Informers) iter.Seq[*v1.Device] { return i.Devices().Lister().ByPhase(v1.Offline) }
//	for cluster, device := range informer.Ask(clusters, offline) { … }
//
// Which clusters are asked is settled when ranging begins, and what each answers when it
// is its turn.
func Ask[F Starter, T any](c *Clusters[F], query func(F) iter.Seq[T]) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for name, informers := range c.All() {
			for obj := range query(informers) {
				if !yield(name, obj) {
					return
				}
			}
		}
	}
}
