// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clusters

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
)

var (
	// ErrExists is returned by Add if there is a cluster of that name.
	ErrExists = errors.New("there is a cluster of that name already; remove it first")
	// ErrNotFound is returned by Remove if there is no cluster of that name.
	ErrNotFound = errors.New("there is no cluster of that name")
)

// Starter holds the informers of one cluster. An *informer.Factory is a Starter, and so are types
// that embed one, like the Informers of generated code.
type Starter interface {
	// Start does not block. It is called once, and does nothing after ShutdownContext.
	Start(ctx context.Context)
	WaitForSync(ctx context.Context) error
	ShutdownContext(ctx context.Context) error
}

// Clusters holds the informers of several clusters. Create it with New. It is started once and
// shut down once. Its methods are safe for concurrent use.
type Clusters[F Starter] struct {
	mu      sync.Mutex
	all     map[string]*cluster[F] // by name
	ctx     context.Context        // of the informers; nil before Start
	leaving []leaving[F]           // removed clusters that may not have ended

	life context.Context // ends with Shutdown
	end  context.CancelFunc
}

// cluster is one cluster.
type cluster[F Starter] struct {
	informers F
	life      context.Context // ends when it is removed
	end       context.CancelFunc
}

// leaving is a cluster that was removed.
type leaving[F Starter] struct {
	name string
	*cluster[F]
}

// New returns a Clusters without clusters.
func New[F Starter]() *Clusters[F] {
	c := &Clusters[F]{all: make(map[string]*cluster[F])}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// Add adds a cluster and starts its informers if Start was called. Add handlers before. Add
// returns an error if there is a cluster of that name, and informer.ErrShutdown after Shutdown.
// Then it neither starts nor shuts down the informers.
func (c *Clusters[F]) Add(name string, informers F) error {
	ctx, err := c.add(name, informers)
	if err != nil {
		return fmt.Errorf("cluster %s: %w", name, err)
	}
	if ctx != nil {
		informers.Start(ctx)
	}
	return nil
}

// add returns the context to start the informers with, or nil if Start was not called.
func (c *Clusters[F]) add(name string, informers F) (context.Context, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.life.Err() != nil {
		return nil, informer.ErrShutdown
	}
	if _, exists := c.all[name]; exists {
		return nil, ErrExists
	}
	one := &cluster[F]{informers: informers}
	one.life, one.end = context.WithCancel(context.Background())
	c.all[name] = one
	return c.ctx, nil
}

// Remove removes a cluster, stops its informers and waits for them. If ctx ends first, it returns
// the error of their ShutdownContext; call Remove or Shutdown again to wait for them. Handlers get
// no deletions for the objects of the cluster.
func (c *Clusters[F]) Remove(ctx context.Context, name string) error {
	c.mu.Lock()
	if one, exists := c.all[name]; exists {
		delete(c.all, name)
		c.leaving = append(c.leaving, leaving[F]{name, one})
		one.end()
	}
	gone := slices.DeleteFunc(slices.Clone(c.leaving), func(one leaving[F]) bool { return one.name != name })
	c.mu.Unlock()
	if len(gone) == 0 {
		return fmt.Errorf("cluster %s: %w", name, ErrNotFound)
	}
	var errs []error
	for _, one := range gone {
		errs = append(errs, c.await(ctx, one))
	}
	return errors.Join(errs...)
}

// await waits until the informers of a removed cluster have ended.
func (c *Clusters[F]) await(ctx context.Context, gone leaving[F]) error {
	err := gone.informers.ShutdownContext(ctx)
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.leaving = slices.DeleteFunc(c.leaving, func(one leaving[F]) bool { return one == gone })
	}
	return err
}

// Get returns the informers of a cluster, and whether there is a cluster of that name.
func (c *Clusters[F]) Get(name string) (informers F, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one, ok := c.all[name]; ok {
		return one.informers, true
	}
	return informers, false
}

// All yields the clusters in order of their names, as of the start of the loop.
func (c *Clusters[F]) All() iter.Seq2[string, F] {
	return func(yield func(string, F) bool) {
		c.mu.Lock()
		all := maps.Clone(c.all)
		c.mu.Unlock()
		for name, one := range inOrder(all) {
			if !yield(name, one.informers) {
				return
			}
		}
	}
}

func inOrder[F Starter](all map[string]*cluster[F]) iter.Seq2[string, *cluster[F]] {
	return func(yield func(string, *cluster[F]) bool) {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if !yield(name, all[name]) {
				return
			}
		}
	}
}

// Start starts the informers of all clusters, and of each cluster that is added later. They stop
// when ctx ends or by Shutdown. Calls after the first have no effect.
func (c *Clusters[F]) Start(ctx context.Context) {
	c.mu.Lock()
	var all map[string]*cluster[F]
	if c.ctx == nil && c.life.Err() == nil {
		c.ctx = ctx
		all = maps.Clone(c.all) // Add starts later ones
	}
	c.mu.Unlock()
	for _, one := range inOrder(all) {
		one.informers.Start(ctx)
	}
}

// Run calls Start, waits until ctx ends, and calls Shutdown. It returns nil.
func (c *Clusters[F]) Run(ctx context.Context) error {
	c.Start(ctx)
	<-ctx.Done()
	c.Shutdown()
	return nil
}

// WaitForSync waits until the informers of all current clusters have synced. Clusters that are
// removed meanwhile do not count. If ctx ends or informers stop first, WaitForSync returns the
// joined errors, which name the clusters.
func (c *Clusters[F]) WaitForSync(ctx context.Context) error {
	c.mu.Lock()
	all := maps.Clone(c.all)
	c.mu.Unlock()
	var errs []error
	for name, one := range inOrder(all) {
		if err := one.waitForSync(ctx); err != nil {
			errs = append(errs, fmt.Errorf("cluster %s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// waitForSync returns nil if the cluster is removed meanwhile.
func (one *cluster[F]) waitForSync(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(one.life, cancel)()
	err := one.informers.WaitForSync(ctx)
	if one.life.Err() != nil {
		return nil
	}
	return err
}

// Shutdown stops the informers of all clusters and waits until they and the informers of removed
// clusters have ended. Add returns an error afterwards. Shutdown may be called more than once. A
// handler must not call it: Shutdown waits for the call.
func (c *Clusters[F]) Shutdown() { _ = c.ShutdownContext(context.Background()) }

// ShutdownContext is Shutdown, but stops waiting when ctx ends. It then returns the joined errors
// of the clusters that have not ended, with their names. Call it again to wait for them.
func (c *Clusters[F]) ShutdownContext(ctx context.Context) error {
	c.mu.Lock()
	c.end()
	all := slices.Clone(c.leaving)
	for name, one := range inOrder(c.all) {
		all = append(all, leaving[F]{name, one})
	}
	c.mu.Unlock()
	var (
		ending waitgroup.Group
		errs   = make([]error, len(all))
	)
	for i, one := range all {
		ending.Go(func() {
			if failed := c.await(ctx, one); failed != nil {
				errs[i] = fmt.Errorf("cluster %s: %w", one.name, failed)
			}
		})
	}
	ending.Wait()
	return errors.Join(errs...)
}

// Ask runs a query in every cluster and yields the results with the names of the clusters, cluster
// by cluster:
//
//	offline := func(i *v1.Informers) iter.Seq[*v1.Device] { return i.Devices().Lister().ByPhase(v1.Offline) }
//	for cluster, device := range clusters.Ask(group, offline) { … }
//
// The loop covers the clusters at its start. Each query runs when its cluster's turn comes.
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
