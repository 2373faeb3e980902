// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/source"
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
		informers: map[layer.Key]*managedInformers{},
	}
	for _, o := range options {
		if err := o.Apply(&c.Settings); err != nil {
			return nil, err
		}
	}
	opts = c.Options
	opts.HTTPClient, opts.NewInformer = &http.Client{Transport: unsent{}}, c.newInformer
	if c.Cache, err = cache.New(unsentConfig(), opts); err != nil {
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

// managedCache is controller-runtime's cache with our informers. It reads from their stores, and leaves
// the rest to the cache that it embeds: what an informer reads, when it starts, what to wait for and all
// errors.
type managedCache struct {
	cache.Cache
	layer.Settings

	removing  sync.Mutex // held during RemoveInformer, and locked before mu
	mu        sync.RWMutex
	informers map[layer.Key]*managedInformers
}

// managed returns the cache of this package behind c, or nil.
func managed(c cache.Cache) *managedCache {
	if own, ok := c.(layer.Cache); ok {
		return own.Unwrap().(*managedCache)
	}
	return nil
}

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (c *managedCache) NeedLeaderElection() bool { return false }

// Unwrap implements layer.Cache.
func (c *managedCache) Unwrap() layer.Cache { return c }

// NoStore implements layer.Cache.
func (c *managedCache) NoStore(runtime.Object) error { return nil }

// newInformer is the NewInformer of the embedded cache.
func (c *managedCache) newInformer(
	lw toolscache.ListerWatcher, example runtime.Object, resync time.Duration, indexers toolscache.Indexers,
) toolscache.SharedIndexInformer {
	s, err := scopeOf(lw)
	key, unknown := c.KeyOf(example)
	i := &layer.Informer{Scope: s, Kind: key.Kind, Stored: example, Source: s.Source(c.Conn, example)}
	namespaces, namespace := c.settle(i)
	for _, l := range c.Layers {
		l.Informer(i)
	}
	if err != nil {
		i.Source = source.Source[metav1.Object]{ListerWatcher: layer.Failed{Err: err}}
	}
	informer := clientgo.NewInformer(s.Resource, i.Source, i.Stored, resync, indexers)
	if i.Wrap != nil {
		informer = i.Wrap(informer)
	}
	if unknown == nil {
		c.manage(key, namespaces, &managedInformer{
			SharedIndexInformer: informer, synced: informer.HasSyncedChecker().Done(), kind: key.Kind,
			namespace: namespace, clusterScoped: i.ClusterScoped, object: i.Object,
			copies: layer.NewCopier(example, key.Kind, i.Shares),
		})
	}
	return informer
}

// RemoveInformer implements cache.Informers.
func (c *managedCache) RemoveInformer(ctx context.Context, obj client.Object) error {
	c.removing.Lock()
	defer c.removing.Unlock()
	for {
		before := c.informersOf(obj)
		if err := c.Cache.RemoveInformer(ctx, obj); err != nil {
			return err
		}
		if c.forget(obj, before) {
			return nil
		}
	}
}
