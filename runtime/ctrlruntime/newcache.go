// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
)

// NewCache returns a cache that reads from the server with package wire and stores objects in our
// stores, for every type of the scheme. It is a value for manager.Options.NewCache and
// cluster.Options.NewCache:
//
//	mgr, err := ctrl.NewManager(config, ctrl.Options{NewCache: ctrlruntime.NewCache})
//
// All of cache.Options work as in controller-runtime. With NewInformer, all objects come from the
// informers that it returns, as with cache.New. Timeout, QPS and Burst of config do not apply to lists
// and watches.
func NewCache(config *rest.Config, opts cache.Options) (cache.Cache, error) {
	if opts.NewInformer != nil {
		return cache.New(config, opts)
	}
	return newCache(config, opts, nil)
}

// CacheOption is an option of [NewCacheWith]. Packages ctrlread and ctrlabsent have them.
type CacheOption interface {
	Apply(*layer.Settings) error
}

// NewCacheWith returns [NewCache] with options. NewInformer of cache.Options must not be set.
func NewCacheWith(options ...CacheOption) cache.NewCacheFunc {
	return func(config *rest.Config, opts cache.Options) (cache.Cache, error) {
		if opts.NewInformer != nil {
			return nil, errors.New("the options of NewCacheWith do not apply to informers of NewInformer: remove it")
		}
		return newCache(config, opts, options)
	}
}

func newCache(config *rest.Config, opts cache.Options, options []CacheOption) (cache.Cache, error) {
	conn, err := kubeconn.FromConfig(config)
	if err != nil {
		return nil, err
	}
	if opts.HTTPClient != nil {
		withoutTimeout := *opts.HTTPClient
		withoutTimeout.Timeout = 0
		conn.Client = &withoutTimeout
	}
	if opts.Scheme == nil {
		opts.Scheme = clientgoscheme.Scheme
	}
	if opts.Mapper == nil {
		if opts.Mapper, err = apiutil.NewDynamicRESTMapper(config, conn.Client); err != nil {
			return nil, err
		}
	}
	c := &managedCache{
		Settings:  layer.Settings{Conn: conn, Options: opts},
		informers: map[layer.Key]*layer.Informer{},
	}
	for _, o := range options {
		if err := o.Apply(&c.Settings); err != nil {
			return nil, err
		}
	}
	if c.plan, err = newPlan(c.Options); err != nil {
		return nil, err
	}
	c.Cache, err = newUnsent(cache.Options{Scheme: c.Options.Scheme, Mapper: c.Options.Mapper, NewInformer: c.newInformer})
	if err != nil {
		return nil, err
	}
	wrapped := layer.Cache(c)
	for _, l := range c.Layers {
		if wrapped, err = l.Wrap(wrapped); err != nil {
			return nil, err
		}
	}
	return wrapped, nil
}

// managedCache is controller-runtime's cache with our informers, one for each type and form. The cache that it embeds
// has no options of the user. It makes, starts and removes informers, and waits for them. What they read comes from the
// plan, and reads go to their stores.
type managedCache struct {
	cache.Cache
	layer.Settings
	plan *plan

	started   atomic.Bool
	removing  sync.Mutex // held during RemoveInformer, and locked before mu
	mu        sync.RWMutex
	informers map[layer.Key]*layer.Informer // those of the embedded cache
}

// managed returns the cache of this package behind c, or nil.
func managed(c cache.Cache) *managedCache {
	if own, ok := c.(layer.Cache); ok {
		return own.Unwrap().(*managedCache)
	}
	return nil
}

// Start implements cache.Informers.
func (c *managedCache) Start(ctx context.Context) error {
	c.started.Store(true)
	return c.Cache.Start(ctx)
}

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (c *managedCache) NeedLeaderElection() bool { return false }

// Unwrap implements layer.Cache.
func (c *managedCache) Unwrap() layer.Cache { return c }

// NoStore implements layer.Cache.
func (c *managedCache) NoStore(runtime.Object) error { return nil }

// RemoveInformer implements cache.Informers.
func (c *managedCache) RemoveInformer(ctx context.Context, obj client.Object) error {
	key, err := c.KeyOf(obj)
	c.removing.Lock()
	defer c.removing.Unlock()
	i := c.informer(key)
	if i == nil || err != nil {
		return err
	}
	err = c.Cache.RemoveInformer(ctx, obj)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.informers[key] == i { // and not one that another goroutine has made since
		delete(c.informers, key)
	}
	return err
}
