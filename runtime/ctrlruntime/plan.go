// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
)

// plan is a cache of controller-runtime that never starts. Its informers read nothing. They tell what controller-runtime
// reads in each namespace, with all defaults of cache.Options.
type plan struct {
	cache cache.Cache

	mu   sync.Mutex
	made *plannedInformer // the last one
}

// plannedInformer has what controller-runtime says to an informer.
type plannedInformer struct {
	toolscache.SharedIndexInformer // nil

	scope     layer.Scope
	scopeErr  error
	resync    time.Duration
	transform toolscache.TransformFunc
}

// SetTransform implements toolscache.SharedIndexInformer.
func (p *plannedInformer) SetTransform(f toolscache.TransformFunc) error {
	p.transform = f
	return nil
}

// GetIndexer implements toolscache.SharedIndexInformer. Nothing reads the Indexer.
func (p *plannedInformer) GetIndexer() toolscache.Indexer { return nil }

func newPlan(opts cache.Options) (p *plan, err error) {
	p = &plan{}
	opts.ReaderFailOnMissingInformer, opts.DefaultWatchErrorHandler = false, nil
	opts.HTTPClient = &http.Client{Transport: unsent{}}
	opts.NewInformer = func(
		lw toolscache.ListerWatcher, _ runtime.Object, resync time.Duration, _ toolscache.Indexers,
	) toolscache.SharedIndexInformer {
		p.made = &plannedInformer{resync: resync}
		p.made.scope, p.made.scopeErr = scopeOf(lw)
		return p.made
	}
	p.cache, err = cache.New(unsentConfig(), opts)
	return p, err
}

// informerIn returns the informer that controller-runtime makes for a read of obj in a configured namespace.
func (p *plan) informerIn(namespace string, obj runtime.Object) (*plannedInformer, error) {
	example, _ := obj.(client.Object) // Get returns an error for others
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made = nil
	ctx := context.Background()
	err := p.cache.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "planned"}, example) // it never starts
	if p.made == nil {
		return &plannedInformer{}, err
	}
	_ = p.cache.RemoveInformer(ctx, example) // it fails only for objects whose Get fails
	return p.made, p.made.scopeErr
}
