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

	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
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
	// Start does not block. It is called once, and has no effect after ShutdownContext.
	Start(ctx context.Context)
	WaitForSync(ctx context.Context) error
	ShutdownContext(ctx context.Context) error
}

// Clusters are the informers of several clusters, which may come and go while they run,
// and which [Ask] asks as if they were one. Each cluster has stores of its own: objects of
// different clusters may have the same name, and resourceVersions are each cluster's. Its
// methods are safe for concurrent use. It is started once and shut down once.
type Clusters[F Starter] struct {
	mu  sync.Mutex
	all map[string]*cluster[F] // by name
	ctx context.Context        // of the informers; nil before Start
	// leaving are those that have been removed, and may not have ended.
	leaving []leaving[F]

	life context.Context // ends with Shutdown
	end  context.CancelFunc
}

// cluster is one of several.
type cluster[F Starter] struct {
	informers F
	life      context.Context // ends when it is removed
	end       context.CancelFunc
}

// leaving is a cluster that had a name.
type leaving[F Starter] struct {
	name string
	*cluster[F]
}

// NewClusters returns no clusters.
func NewClusters[F Starter]() *Clusters[F] {
	c := &Clusters[F]{all: make(map[string]*cluster[F])}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// Add adds a cluster, and starts its informers if the others have been started. Handlers
// are best added before. It fails if there is a cluster of that name, and with ErrShutdown
// after Shutdown: then the informers are the caller's, not started and not shut down.
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

// add returns what the informers are to be started with, nil if Start will do it.
func (c *Clusters[F]) add(name string, informers F) (context.Context, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.life.Err() != nil {
		return nil, ErrShutdown
	}
	if _, exists := c.all[name]; exists {
		return nil, ErrClusterExists
	}
	one := &cluster[F]{informers: informers}
	one.life, one.end = context.WithCancel(context.Background())
	c.all[name] = one
	return c.ctx, nil
}

// Remove takes a cluster away, stops its informers and waits for them, until ctx ends:
// then it returns what ShutdownContext of the informers does, and to call it again, or
// Shutdown, waits for them. Handlers are not told that its objects are gone.
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
		return fmt.Errorf("cluster %s: %w", name, ErrNoSuchCluster)
	}
	var errs []error
	for _, one := range gone {
		errs = append(errs, c.await(ctx, one))
	}
	return errors.Join(errs...)
}

// await waits for a cluster that has been removed, and then forgets it.
func (c *Clusters[F]) await(ctx context.Context, gone leaving[F]) error {
	err := gone.informers.ShutdownContext(ctx)
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.leaving = slices.DeleteFunc(c.leaving, func(one leaving[F]) bool { return one == gone })
	}
	return err
}

// Get returns the informers of a cluster, and whether there is one of that name.
func (c *Clusters[F]) Get(name string) (informers F, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one, ok := c.all[name]; ok {
		return one.informers, true
	}
	return informers, false
}

// All yields the clusters that there are when ranging begins, in the order of their names.
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

// Start starts the informers of all clusters, and from now on those of each that is added.
// They stop when ctx ends, or by Shutdown. Only the first call has an effect.
func (c *Clusters[F]) Start(ctx context.Context) {
	c.mu.Lock()
	var all map[string]*cluster[F]
	if c.ctx == nil && c.life.Err() == nil {
		c.ctx = ctx
		all = maps.Clone(c.all) // those that come later Add starts
	}
	c.mu.Unlock()
	for _, one := range inOrder(all) {
		one.informers.Start(ctx)
	}
}

// Run is Start, and when ctx ends Shutdown, as Run of a Factory is. It returns nil.
func (c *Clusters[F]) Run(ctx context.Context) error {
	c.Start(ctx)
	<-ctx.Done()
	c.Shutdown()
	return nil
}

// WaitForSync waits until the informers of all clusters that there are now, and are not
// removed meanwhile, have synced. It returns the errors of those that have not when ctx
// ends or they stop, with the names of their clusters, joined.
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

// waitForSync is WaitForSync; a cluster that has been removed need not sync.
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

// Shutdown stops the informers of all clusters and waits until they have ended, and those of
// clusters that have been removed. No cluster can be added from then on. It may be called more than once; not by a handler, which it
// would wait for.
func (c *Clusters[F]) Shutdown() { _ = c.ShutdownContext(context.Background()) }

// ShutdownContext is Shutdown, but waits no longer than until ctx ends. It returns the
// errors of the clusters that have not ended by then, with their names, joined; they are
// stopped all the same, and to call it again waits for them.
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
