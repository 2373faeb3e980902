// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/clientgo/untyped"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
	"github.com/indexer-gen/indexer-gen/runtime/discovery"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
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
		conn: conn, opts: opts, informers: map[informerKey]*managedInformers{},
		heldRead: map[schema.GroupVersionKind][]readthrough.Field{},
		optional: map[schema.GroupVersionKind]*meta.RESTMapping{},
		prober:   discovery.New(conn.Client, conn.BaseURL, conn.UserAgent),
	}
	for _, o := range options {
		if err := o.apply(c); err != nil {
			return nil, err
		}
	}
	if len(c.heldRead) > 0 {
		untyped.Register[*readthrough.Metadata]()
	} else if c.maxRead > 0 {
		return nil, errors.New("MaxReadBytes does nothing without HoldRead: add HoldRead, or remove it")
	}
	opts.Mapper = optionalMapper{opts.Mapper, c.optional}
	c.opts.Mapper = opts.Mapper
	opts.HTTPClient, opts.NewInformer = &http.Client{Transport: unsent{}}, c.newInformer
	c.Cache, err = cache.New(unsentConfig(), opts)
	return c, err
}

// managedCache is controller-runtime's cache with our informers. It reads from their stores, and leaves
// the rest to the cache that it embeds: what an informer reads, when it starts, what to wait for and all
// errors.
type managedCache struct {
	cache.Cache
	conn wire.Conn
	opts cache.Options // of the user, with a scheme and a mapper

	heldRead map[schema.GroupVersionKind][]readthrough.Field // of HoldRead
	maxRead  int64                                           // of MaxReadBytes
	optional map[schema.GroupVersionKind]*meta.RESTMapping   // of MayBeAbsent
	prober   *discovery.Prober

	removing  sync.Mutex // held during RemoveInformer, and locked before mu
	mu        sync.RWMutex
	informers map[informerKey]*managedInformers
}

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (c *managedCache) NeedLeaderElection() bool { return false }

// newInformer is the NewInformer of the embedded cache.
func (c *managedCache) newInformer(
	lw toolscache.ListerWatcher, example runtime.Object, resync time.Duration, indexers toolscache.Indexers,
) toolscache.SharedIndexInformer {
	s, err := scopeOf(lw)
	key, unknown := c.keyOf(example)
	keep, held := c.heldRead[key.kind]
	src, stored := sourceOf(c.conn, s, example), example
	if held {
		stored = &readthrough.Metadata{}
		src = sourceOf(c.conn, s, stored, readthrough.Keep(keep...))
	}
	if mapping := c.optional[key.kind]; mapping != nil {
		src.Served = c.prober.Served(mapping.Resource, mapping.Scope)
	}
	if err != nil {
		src = source.Source[metav1.Object]{ListerWatcher: failed{err}}
	}
	informer := clientgo.NewInformer(s.resource, src, stored, resync, indexers)
	if held {
		informer = metadataInformer{informer, key.kind}
	}
	if unknown == nil {
		c.manage(informer, s, key, example)
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
