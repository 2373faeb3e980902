// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
)

// plan is a cache of controller-runtime that never starts. Its informers read nothing. They show what controller-runtime
// reads in each namespace, with all defaults of cache.Options. It is not safe for concurrent use: NewInformer of the
// embedded cache, which uses it, is called under a lock.
type plan struct {
	cache       cache.Cache
	lastPlanned *plannedInformer
}

// plannedInformer has what controller-runtime says to an informer.
type plannedInformer struct {
	toolscache.SharedIndexInformer // nil

	scope     layer.Scope
	err       error // why there is no informer
	resync    time.Duration
	transform toolscache.TransformFunc
}

// SetTransform implements toolscache.SharedIndexInformer. A cache returns its error to those that need the informer.
func (p *plannedInformer) SetTransform(f toolscache.TransformFunc) error {
	p.transform = f
	return p.err
}

// GetIndexer implements toolscache.SharedIndexInformer. Nothing reads the Indexer.
func (p *plannedInformer) GetIndexer() toolscache.Indexer { return nil }

func newPlan(opts cache.Options) (p *plan, err error) {
	p = &plan{}
	opts.ReaderFailOnMissingInformer, opts.DefaultWatchErrorHandler = false, nil
	opts.NewInformer = func(
		lw toolscache.ListerWatcher, _ runtime.Object, resync time.Duration, _ toolscache.Indexers,
	) toolscache.SharedIndexInformer {
		p.lastPlanned = &plannedInformer{resync: resync}
		p.lastPlanned.scope, p.lastPlanned.err = scopeOf(lw)
		return p.lastPlanned
	}
	p.cache, err = newUnsent(opts)
	return p, err
}

// informerIn returns the informer that controller-runtime makes for a read of obj in a configured namespace.
func (p *plan) informerIn(namespace string, obj runtime.Object) (*plannedInformer, error) {
	example, _ := obj.(client.Object) // RemoveInformer returns an error for others
	ctx := context.Background()
	if err := p.cache.RemoveInformer(ctx, example); err != nil { // that of an earlier call
		return nil, err
	}
	err := p.cache.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "planned"}, example)
	if notStarted := (*cache.ErrCacheNotStarted)(nil); !errors.As(err, &notStarted) {
		return nil, err
	}
	return p.lastPlanned, nil
}

// unsent is a transport that sends nothing. It answers each request with 204, and copies its URL to that of the context.
//
// NewInformer of controller-runtime's cache gets a ListerWatcher, and neither the resource nor the ByObject, namespace
// and selectors that apply. So a plan calls the ListerWatcher, and reads them from the URLs of its requests. No
// contract of controller-runtime says that this works. It needs four things:
//
//   - Get of a cache that has not started calls NewInformer once, for the namespace that is read, and then SetTransform.
//     It returns the error of SetTransform, or ErrCacheNotStarted. RemoveInformer forgets that informer.
//   - List and Watch of the ListerWatcher each send one request, with the context that they get, by the HTTPClient of
//     cache.Options.
//   - The URLs are those of the API: the path has the resource and the namespace, and the query has the selectors
//     and allowWatchBookmarks.
//   - The requests have the options of the cache, although the caller's ListOptions are empty.
//
// hack/test-floors.sh -unsent tests this with each release of controller-runtime from the lowest on, and the newest
// patch of its client-go. A weekly job runs it, and a release requires it.
type unsent struct{}

// requestURLKey is the key of a context's *url.URL, which the requests of unsent set.
type requestURLKey struct{}

// newUnsent returns a cache that sends no requests.
func newUnsent(opts cache.Options) (cache.Cache, error) {
	opts.HTTPClient = &http.Client{Transport: unsent{}}
	return cache.New(&rest.Config{Host: "http://unsent.invalid", QPS: -1}, opts)
}

func (unsent) RoundTrip(r *http.Request) (*http.Response, error) {
	if into, ok := r.Context().Value(requestURLKey{}).(*url.URL); ok {
		*into = *r.URL
	}
	return &http.Response{
		StatusCode: http.StatusNoContent, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: http.NoBody, Request: r,
	}, nil
}

// scopeOf returns what lw, which must have an unsent client, reads.
func scopeOf(lw toolscache.ListerWatcher) (layer.Scope, error) {
	var list, watch url.URL
	reader := toolscache.ToListerWatcherWithContext(lw)
	_, listErr := reader.ListWithContext(context.WithValue(context.Background(), requestURLKey{}, &list), metav1.ListOptions{})
	w, err := reader.WatchWithContext(context.WithValue(context.Background(), requestURLKey{}, &watch), metav1.ListOptions{})
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
		return s, fmt.Errorf("a %T reads the unknown path %q (%v): leave out NewCache and set NewInformer in cache.Options "+
			"to clientgo.NewSharedIndexInformer", lw, list.Path, listErr)
	}
	s.Resource.Resource = path[0]
	return s, nil
}
