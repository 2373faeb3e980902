// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
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
	opts.NewInformer = func(
		lw toolscache.ListerWatcher, _ runtime.Object, resync time.Duration, _ toolscache.Indexers,
	) toolscache.SharedIndexInformer {
		p.made = &plannedInformer{scope: scopeOf(lw), resync: resync}
		return p.made
	}
	p.cache, err = newUnsent(opts)
	return p, err
}

// informerIn returns the informer that controller-runtime makes for a read of obj in a configured namespace.
func (p *plan) informerIn(namespace string, obj runtime.Object) *plannedInformer {
	example, _ := obj.(client.Object) // Get returns an error for others
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made = nil
	ctx := context.Background()
	err := p.cache.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "planned"}, example) // it never starts
	if p.made == nil {
		return &plannedInformer{scope: layer.Scope{Err: err}}
	}
	_ = p.cache.RemoveInformer(ctx, example) // it fails only for objects whose Get fails
	return p.made
}

// unsent is a transport that sends nothing. It answers each request with 204 and notes its URL.
//
// NewInformer of controller-runtime's cache gets a ListerWatcher, and neither the resource nor the ByObject, namespace
// and selectors that apply. So a plan calls the ListerWatcher, and reads them from the URLs of its requests. No
// contract of controller-runtime says that this works. It needs four things:
//
//   - Get of a cache that has not started calls NewInformer once, for the namespace that is read, and then SetTransform.
//     RemoveInformer forgets that informer.
//   - List and Watch of the ListerWatcher each send one request, with the context that they get, by the HTTPClient of
//     cache.Options.
//   - The URLs are those of the API: the path has the resource and the namespace, and the query has the selectors
//     and allowWatchBookmarks.
//   - The requests have the options of the cache, although the caller's ListOptions are empty.
//
// hack/test-floors.sh -unsent tests this with each release of controller-runtime from the lowest on, and the newest
// patch of its client-go. A weekly job runs it, and a release requires it.
type unsent struct{}

// noted is the key of a context's *url.URL.
type noted struct{}

// newUnsent returns a cache whose requests are noted.
func newUnsent(opts cache.Options) (cache.Cache, error) {
	opts.HTTPClient = &http.Client{Transport: unsent{}}
	return cache.New(&rest.Config{Host: "http://unsent.invalid", QPS: -1}, opts)
}

func (unsent) RoundTrip(r *http.Request) (*http.Response, error) {
	if into, ok := r.Context().Value(noted{}).(*url.URL); ok {
		*into = *r.URL
	}
	return &http.Response{
		StatusCode: http.StatusNoContent, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: http.NoBody, Request: r,
	}, nil
}

// scopeOf returns what lw, which must have an unsent client, reads.
func scopeOf(lw toolscache.ListerWatcher) layer.Scope {
	var list, watch url.URL
	reader := toolscache.ToListerWatcherWithContext(lw)
	_, _ = reader.ListWithContext(context.WithValue(context.Background(), noted{}, &list), metav1.ListOptions{})
	w, err := reader.WatchWithContext(context.WithValue(context.Background(), noted{}, &watch), metav1.ListOptions{})
	if err == nil {
		w.Stop()
	}
	query := list.Query()
	s := layer.Scope{
		Labels: query.Get("labelSelector"), Fields: query.Get("fieldSelector"),
		Bookmarks: watch.Query().Get("allowWatchBookmarks") == "true",
	}
	path := strings.Split(strings.TrimPrefix(list.Path, "/"), "/")
	switch {
	case len(path) > 2 && path[0] == "api":
		s.Resource.Version, path = path[1], path[2:]
	case len(path) > 3 && path[0] == "apis":
		s.Resource.Group, s.Resource.Version, path = path[1], path[2], path[3:]
	}
	if len(path) == 3 && path[0] == "namespaces" {
		s.Namespace, path = path[1], path[2:]
	}
	if len(path) != 1 || s.Resource.Version == "" {
		s.Err = fmt.Errorf("a %T reads the unknown path %q: leave out NewCache and set NewInformer in cache.Options "+
			"to clientgo.NewSharedIndexInformer", lw, list.Path)
		return s
	}
	s.Resource.Resource = path[0]
	return s
}
